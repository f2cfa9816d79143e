import type { Image } from "./image";

/**
 * The one-key chemistry presets. The first two are the settings that packs held afterwards in phinix-org's logs
 * (captures phinix-preset_160A and _160C, firmware 15.30); for LTO only the over-voltage limit is known, the rest is
 * invented.
 */
const COMMON: Readonly<Record<string, number>> = {
  VolBalanTrig: 10,
  CurBatCOC: 40_000,
  TIMBatCOCPDly: 3,
  TIMBatCOCPRDly: 60,
  CurBatDcOC: 150_000,
  TIMBatDcOCPDly: 300,
  TIMBatDcOCPRDly: 60,
  TIMBatSCPRDly: 5,
  CurBalanMax: 1000,
  TMPBatCOT: 700,
  TMPBatCOTPR: 600,
  TMPBatDcOT: 700,
  TMPBatDcOTPR: 600,
  TMPBatCUT: 20,
  TMPBatCUTPR: 70,
  TMPMosOT: 800,
  TMPMosOTPR: 700,
  CapBatCell: 40_000,
  SCPDelay: 1500,
  VolStartBalan: 3000,
};

type Preset = Readonly<Record<string, number>>;

const LI_ION: Preset = {
  ...COMMON,
  CellType: 1,
  VolSmartSleep: 4150,
  VolCellUV: 2820,
  VolCellUVPR: 2850,
  VolCellOV: 4200,
  VolCellOVPR: 4170,
  VolSOC100: 4180,
  VolSOC0: 2840,
  VolCellRCV: 4190,
  VolCellRFV: 4100,
  VolSysPwrOff: 2800,
};

const LIFEPO4: Preset = {
  ...COMMON,
  CellType: 0,
  VolSmartSleep: 3500,
  VolCellUV: 2580,
  VolCellUVPR: 2620,
  VolCellOV: 3650,
  VolCellOVPR: 3580,
  VolSOC100: 3590,
  VolSOC0: 2600,
  VolCellRCV: 3600,
  VolCellRFV: 3500,
  VolSysPwrOff: 2500,
};

const LTO: Preset = {
  ...COMMON,
  CellType: 2,
  VolSmartSleep: 2600,
  VolCellUV: 1800,
  VolCellUVPR: 1850,
  VolCellOV: 2700,
  VolCellOVPR: 2650,
  VolSOC100: 2680,
  VolSOC0: 1820,
  VolCellRCV: 2680,
  VolCellRFV: 2600,
  VolSysPwrOff: 1700,
  VolStartBalan: 2400,
};

/** Presets by register. */
export const PRESETS: Readonly<Record<number, Preset>> = { 0x160a: LI_ION, 0x160c: LIFEPO4, 0x160e: LTO };

export function applyPreset(image: Image, preset: Preset): void {
  for (const [name, value] of Object.entries(preset)) image.write(name, value);
}
