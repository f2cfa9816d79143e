#ifndef __UART_LL__
#define __UART_LL__

#include <stdint.h>

/* Its registers are these of the stand-in. */
typedef int uart_dev_t;
#define UART_LL_GET_HW(uart) (&uartRegisters[uart])
extern uart_dev_t uartRegisters[];
/* The room in the transmit FIFO. */
uint32_t uart_ll_get_txfifo_len(uart_dev_t* registers);

#endif
