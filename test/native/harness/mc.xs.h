/* What xsl generates for the device: the numbers of names, here found when harness.c starts, and the natives. */
#ifndef __MC_XS__
#define __MC_XS__

#define HARNESS_NAMES(NAME) \
	NAME(address) \
	NAME(baud) \
	NAME(format) \
	NAME(from) \
	NAME(nodelay) \
	NAME(onError) \
	NAME(onReadable) \
	NAME(onWritable) \
	NAME(port) \
	NAME(read) \
	NAME(receive) \
	NAME(target) \
	NAME(timeToLive) \
	NAME(transmit) \
	NAME(write)

enum {
#define NAME(name) harness_##name,
	HARNESS_NAMES(NAME)
#undef NAME
	harness_names
};
extern xsIdentifier harnessIds[harness_names];

#define xsID_address harnessIds[harness_address]
#define xsID_baud harnessIds[harness_baud]
#define xsID_format harnessIds[harness_format]
#define xsID_from harnessIds[harness_from]
#define xsID_nodelay harnessIds[harness_nodelay]
#define xsID_onError harnessIds[harness_onError]
#define xsID_onReadable harnessIds[harness_onReadable]
#define xsID_onWritable harnessIds[harness_onWritable]
#define xsID_port harnessIds[harness_port]
#define xsID_read harnessIds[harness_read]
#define xsID_receive harnessIds[harness_receive]
#define xsID_target harnessIds[harness_target]
#define xsID_timeToLive harnessIds[harness_timeToLive]
#define xsID_transmit harnessIds[harness_transmit]
#define xsID_write harnessIds[harness_write]

extern void xs_tls_destructor(void* data);
extern void xs_tcp_destructor(void* data);
extern void xs_listener_destructor(void* data);
extern void xs_udp_destructor(void* data);

#endif
