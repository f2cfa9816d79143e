#ifndef __UART_SELECT__
#define __UART_SELECT__

#include "driver/uart.h"

typedef enum { UART_SELECT_READ_NOTIF, UART_SELECT_WRITE_NOTIF, UART_SELECT_ERROR_NOTIF } uart_select_notif_t;
typedef void (*uart_select_notif_callback_t)(uart_port_t uart, uart_select_notif_t what, BaseType_t* isWoken);
void uart_set_select_notif_callback(uart_port_t uart, uart_select_notif_callback_t callback);

#endif
