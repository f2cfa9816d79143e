export const ENGINE_FOLDER: string;
export const XSNAP: string;
export const XS_PLATFORM: string | undefined;
export const XS_WORKER: string;
