/** Texts of "About the BMS". All languages in the one file that has it. */
import type { Language } from "../../format";

const en = {
  about: "About the BMS",
  model: "Model",
  name: "Name",
  chemistry: "Chemistry",
  maxCells: "Maximum cells",
  hardware: "Hardware",
  software: "Firmware",
  made: "Manufactured",
  alarmCode: "Alarm code",
  maxCharge: "Charge current limit",
  maxDischarge: "Discharge current limit",
  precharging: "Pre-charging",
  charger: "Charger plugged in",
  protocol: (port: string) => `Protocol of ${port}`,
};

type AboutTexts = typeof en;

const pt: AboutTexts = {
  about: "Sobre o BMS",
  model: "Modelo",
  name: "Nome",
  chemistry: "Química",
  maxCells: "Máximo de células",
  hardware: "Hardware",
  software: "Firmware",
  made: "Fabricado",
  alarmCode: "Código de alarme",
  maxCharge: "Limite da corrente de carga",
  maxDischarge: "Limite da corrente de descarga",
  precharging: "Pré-carga",
  charger: "Carregador conectado",
  protocol: (port) => `Protocolo de ${port}`,
};

export const ABOUT_TEXTS: Readonly<Record<Language, AboutTexts>> = { en, pt };
