/* Of newlib's sys/lock.h, what boards/esp32/rng.c uses. */
#ifndef __SYS_LOCK__
#define __SYS_LOCK__

#include <pthread.h>

/* Zero is initialized here too. */
typedef pthread_mutex_t _lock_t;
#define _lock_acquire pthread_mutex_lock
#define _lock_release pthread_mutex_unlock

#endif
