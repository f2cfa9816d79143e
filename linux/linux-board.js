/** The constant part of the Linux board. Preloaded (in flash), as on a device. */
export default Object.freeze(
  {
    softwareName: "jk-bms-monitor",
    boardVersion: "linux",
    image: "@jk-bms-monitor/linux",
    updateKey: "",
    chip: 0,
    network: "Ethernet",
    maxPacks: 16,
    pins: {
      bms: { port: 1, receive: 5, transmit: 17 },
      relay: 33,
      temperature: 36,
      voltages: [39, 35, 32],
      inputs: [4, 14],
    },
  },
  true,
);
