/** In place of the SDK's Ethernet interface on a board that has none: `network` of its configuration says so. */
export default undefined;
