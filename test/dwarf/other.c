// The second unit of the C program: defines what the first only declares, and a static of the same
// name.
//= object.secret => 42
//= hidden->secret => 42
//= twice => 8
struct hidden {
    int secret;
};
static struct hidden object = {42};
struct hidden *hidden = &object;
static volatile int twice = 8;
int other(void);
int other(void)
{
    return twice;
}
