/* A hash of the files of a node's disks: names and contents, as its programs see them. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/stat.h>

#include "base/hash.h"
#include "world/world.h"
#include "world/world_int.h"

enum { PART = 4096 };

static uint64_t contents(struct world *w, struct inode *inode, uint64_t hash)
{
    char bytes[PART];
    uint64_t size = inode_size(inode);
    for (uint64_t at = 0; at < size;) {
        uint64_t left = size - at;
        int64_t n = inode_read(w, inode, at, bytes, left < PART ? (size_t)left : PART);
        if (n <= 0) {
            break;
        }
        hash = hash_bytes(bytes, (size_t)n, hash);
        at += (uint64_t)n;
    }
    return hash_combine(hash, size);
}

static uint64_t below(struct world *w, struct inode *dir, uint64_t hash)
{
    for (uint32_t i = 0; i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        const char *name = dir->dir.v[i].name;
        hash = hash_bytes(name, strlen(name), hash);
        if (S_ISDIR(inode->mode)) {
            hash = below(w, inode, hash_combine(hash, 1));
        } else if (S_ISREG(inode->mode)) {
            hash = contents(w, inode, hash);
        }
    }
    return hash_combine(hash, dir->dir.n);
}

uint64_t world_disk_hash(struct world *w, size_t node)
{
    const struct node *n = w->nodes[node];
    uint64_t hash = 1;
    for (uint32_t i = 0; i < n->n_mounts; i++) {
        if (!n->mounts[i].root->tmp) {
            hash = below(w, n->mounts[i].root, hash);
        }
    }
    return hash;
}
