/* lwIP as ESP-IDF runs it. */
#ifndef __IDF__
#define __IDF__

/* esp_netif_init: starts lwIP's task. Called by the script's. */
extern void startStack(void);

#endif
