"""Reads the battery by Modbus TCP with pymodbus (Debian package python3-pymodbus, version 3). Argument: the port."""

import json
import sys

from pymodbus.client import ModbusTcpClient

client = ModbusTcpClient("127.0.0.1", port=int(sys.argv[1]))
assert client.connect()
found = {}
found["suns"] = client.read_holding_registers(40000, 2, slave=1).registers
words = client.read_input_registers(1000, 2, slave=1).registers
found["charge"] = ((words[0] << 16) | words[1]) / 10
found["end"] = client.read_holding_registers(40223, 2, slave=1).registers
found["nowhere"] = client.read_holding_registers(0, 3, slave=1).exception_code
found["unit"] = client.read_holding_registers(40000, 2, slave=99).exception_code
found["write"] = client.write_register(40080, 20, slave=1).exception_code
found["writes"] = client.write_registers(40080, [20], slave=1).exception_code
client.close()
print(json.dumps(found))
