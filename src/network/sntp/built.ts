/** When this firmware was made, seconds since 1970: of an image the time of its commit (scripts/device-bundle.mjs), elsewhere 2025. */
export const BUILT = 1_735_689_600;
