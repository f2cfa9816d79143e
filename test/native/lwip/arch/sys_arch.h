/* Debian's, with what ESP-IDF's declares beside it (components/lwip/port/freertos/include/arch/sys_arch.h of v6.0.2). */
#include_next <arch/sys_arch.h>
#ifndef __IDF_SYS_ARCH__
#define __IDF_SYS_ARCH__

#include <stdbool.h>

typedef enum {
	LWIP_CORE_LOCK_QUERY_HOLDER,
	LWIP_CORE_LOCK_MARK_HOLDER,
	LWIP_CORE_LOCK_UNMARK_HOLDER,
	LWIP_CORE_MARK_TCPIP_TASK,
	LWIP_CORE_IS_TCPIP_INITIALIZED,
} sys_thread_core_lock_t;

extern bool sys_thread_tcpip(sys_thread_core_lock_t type);

#endif
