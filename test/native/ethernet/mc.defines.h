/* What mcconfig makes of a board whose chip clocks the PHY; GPIO 17 and not 0, which is ESP-IDF's default. */
#define MODDEF_ETHERNET_INTERNAL_MAC_CLOCK (17)
