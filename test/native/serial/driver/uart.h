/* Of ESP-IDF 6.0.2's UART driver, what boards/esp32/serial uses; uart.c behaves as its src/uart.c. */
#ifndef __UART__
#define __UART__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "freertos/FreeRTOS.h"

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_FAIL -1
#define ESP_ERR_INVALID_ARG 0x102
#define ESP_ERR_INVALID_STATE 0x103
#define ESP_INTR_FLAG_IRAM (1 << 10)

typedef int uart_port_t;
#define UART_NUM_MAX 3
#define UART_PIN_NO_CHANGE (-1)
#define UART_HW_FIFO_LEN(uart) ((void)(uart), 128)

enum { UART_DATA_8_BITS = 3, UART_PARITY_DISABLE = 0, UART_STOP_BITS_1 = 1, UART_HW_FLOWCTRL_DISABLE = 0 };
typedef enum { UART_MODE_UART, UART_MODE_RS485_HALF_DUPLEX } uart_mode_t;
typedef struct {
	int baud_rate, data_bits, parity, stop_bits, flow_ctrl;
	uint8_t rx_flow_ctrl_thresh;
} uart_config_t;

esp_err_t uart_param_config(uart_port_t uart, const uart_config_t* configuration);
esp_err_t uart_driver_install(uart_port_t uart, int receive, int transmit, int events, void** queue, int flags);
esp_err_t uart_driver_delete(uart_port_t uart);
bool uart_is_driver_installed(uart_port_t uart);
esp_err_t uart_set_mode(uart_port_t uart, uart_mode_t mode);
esp_err_t uart_set_pin(uart_port_t uart, int transmit, int receive, int rts, int cts);
esp_err_t uart_set_rx_full_threshold(uart_port_t uart, int threshold);
esp_err_t uart_set_rx_timeout(uart_port_t uart, uint8_t characters);
esp_err_t uart_get_buffered_data_len(uart_port_t uart, size_t* count);
int uart_read_bytes(uart_port_t uart, void* bytes, uint32_t length, uint32_t ticks);
int uart_tx_chars(uart_port_t uart, const char* bytes, uint32_t length);

#endif
