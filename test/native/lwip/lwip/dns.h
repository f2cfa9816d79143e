/* Of lwIP's; Debian's is built without it (LWIP_DNS). */
#ifndef __DNS__
#define __DNS__

#include "lwip/ip_addr.h"

/* Both in lwIP's task only. */
extern void dns_setserver(u8_t index, const ip_addr_t* address);
extern const ip_addr_t* dns_getserver(u8_t index);

#endif
