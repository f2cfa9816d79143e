/* Debian's lwIP with the device at 10.0.0.1, and a way from the host's sockets to it and back. */
#ifndef __GATEWAY__
#define __GATEWAY__

extern void openGateway(void);
extern void closeGateway(void);

#endif
