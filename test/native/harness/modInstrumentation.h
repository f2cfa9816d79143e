/* The SDK counts what goes through sockets; here nobody asks. */
#define modInstrumentationAdjust(what, value) ((void)(value))
