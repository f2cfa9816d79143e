/** This project's own module beside the SDK's Ethernet class, on boards with Ethernet (boards/esp32/ethernet/ethernet.c). */
declare module "ethernet-driver" {
  const EthernetDriver: {
    /**
     * Starts TCP/IP, and in a task of its own the driver, which takes from 0.6 to 5 s. DHCP's first request has `hostname`. Call again
     * only after `isStarted` has been false. Throws without memory for the task.
     */
    start(hostname: string): void;
    /**
     * True: embedded:network/interface/ethernet can be used, and its constructor returns at once. False: the driver failed to start.
     * Undefined: it is being started, or never was.
     */
    isStarted(): boolean | undefined;
    /** The interface's MAC address, lower case with colons, whether or not the driver runs. */
    mac(): string;
  };
  export default EthernetDriver;
}
