/* storage-esp32.c includes it by this path; mcconfig finds headers by the name of a module. */
#include "nvs.h"
