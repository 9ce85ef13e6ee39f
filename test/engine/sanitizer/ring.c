/* Nodes in a ring pass a token on over TCP; one thread receives, another one sends. For builds with a sanitizer: the second
 * argument names a mistake that the node makes, or is "none".
 * usage: ring PLACE MISTAKE HOST... */
#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 4000, ROUNDS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int token = -1;   /* guarded by lock, but for the mistake "race" */
static int received = 0; /* the same */
static const char *mistake;

static void make_mistake(const char *text)
{
    if (strcmp(mistake, "overflow") == 0) {
        char *copy = malloc(strlen(text));
        strcpy(copy, text); /* one byte too many */
        token = atoi(copy);
        free(copy);
    } else if (strcmp(mistake, "leak") == 0) {
        char *copy = strdup(text);
        token = atoi(copy);
        copy = NULL;
    } else if (strcmp(mistake, "signed") == 0) {
        int big = 0x7fffffff - 2;
        token = atoi(text);
        big += token;
        printf("%d\n", big);
    }
}

static int listen_here(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (void *)&at, sizeof at) != 0 || listen(fd, 4) != 0) {
        perror("listen");
        exit(2);
    }
    return fd;
}

static void *receive(void *arg)
{
    int fd = accept(*(int *)arg, NULL, NULL);
    FILE *in = fdopen(fd, "r");
    char line[64];
    for (int i = 0; i < ROUNDS && fgets(line, sizeof line, in) != NULL; i++) {
        if (strcmp(mistake, "race") == 0) {
            received++;
        }
        pthread_mutex_lock(&lock);
        token = atoi(line);
        received += strcmp(mistake, "race") == 0 ? 0 : 1;
        if (i == 5) {
            make_mistake(line);
        }
        pthread_cond_signal(&arrived);
        pthread_mutex_unlock(&lock);
    }
    fclose(in);
    return NULL;
}

static int connect_to(const char *host)
{
    struct addrinfo hint = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(host, "4000", &hint, &found) != 0) {
        exit(3);
    }
    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, found->ai_addr, found->ai_addrlen) == 0) {
            freeaddrinfo(found);
            return fd;
        }
        close(fd);
        usleep(10000);
    }
}

int main(int argc, char **argv)
{
    int place = atoi(argv[1]), nodes = argc - 3, fd = listen_here();
    mistake = argv[2];
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &fd);
    int next = connect_to(argv[3 + place % nodes]);
    for (int i = 0; i < ROUNDS; i++) {
        int have = 0;
        if (place != 1 || i > 0) {
            pthread_mutex_lock(&lock);
            while (token < 0) {
                pthread_cond_wait(&arrived, &lock);
            }
            have = token;
            token = -1;
            pthread_mutex_unlock(&lock);
        }
        dprintf(next, "%d\n", have + 1);
        if (strcmp(mistake, "race") == 0 && received > ROUNDS) {
            puts("too many");
        }
    }
    pthread_join(thread, NULL);
    printf("received %d, the last was %d\n", received, token);
    close(next);
    return 0;
}
