import { describe, expect, it } from "vitest";
import { BmsBench, hex, join, readRequest, triggerRequest } from "../../support/bms/bms-bench";
import { capture } from "../../support/bms/captures";

const still = (options = {}): BmsBench => new BmsBench({ evolving: false, ...options });

describe("triggers are answered like captured ones, byte for byte", () => {
  const slaves = [
    ["dbus-sb_t01_addr3_PB2A16S20P_15.41", 3, 0x161e, "dbus-sb_ack_161E_addr3", "15.41"],
    ["dbus-sb_t02_addr3_PB2A16S20P_15.41", 3, 0x1620, "dbus-sb_ack_1620_addr3", "15.41"],
    ["dbus-sb_t03_addr3_PB2A16S20P_15.41", 3, 0x161c, "dbus-sb_ack_161C_addr3", "15.41"],
    ["mppsolar-jkpb_t01_addr1_PB2A16S15P_15.10", 1, 0x161e, "trigger_ack_161E_addr1", "15.10"],
    ["mppsolar-jkpb_t03_addr1_PB2A16S15P_15.10", 1, 0x161c, "trigger_ack_161C_addr1", "15.10"],
    ["phinix-liion_t01_addr1_a", 1, 0x161e, "trigger_ack_161E_addr1", "15.30"],
    ["phinix-liion_t03_addr1", 1, 0x161c, "trigger_ack_161C_addr1", "15.30"],
  ] as const;

  it.each(slaves)("%s", (name, address, register, acknowledgement, firmware) => {
    for (const answerForm of [308, 310] as const) {
      const bench = still({ address, firmware, answerForm });
      bench.bms.load(capture(name));
      const padding = answerForm === 310 ? [0] : [];
      const expected = join(capture(name), padding, capture(acknowledgement), padding);
      expect(expected).toHaveLength(answerForm);
      expect(hex(bench.ask(triggerRequest(register, address)))).toBe(hex(expected));
    }
  });

  it.each([
    ["trigger_req_161C_addr1", 308],
    ["trigger_req_161E_addr1", 308],
    ["trigger_req_1620_addr1", 308],
    ["fc03_alarm_12A0_req", 9],
    ["recon_fc03_1000x100_req", 205],
    ["recon_fc03_1114x1_req", 7],
    ["recon_fc03_1200x120_req", 245],
    ["recon_fc03_12F0x16_req", 37],
    ["recon_fc03_1400x80_req", 165],
  ])("accepts the captured request %s", (request, length) => {
    expect(still().ask(capture(request))).toHaveLength(length);
  });

  it("writes are acknowledged as captured", () => {
    for (const name of [
      "vendor_capacity_50Ah",
      "vendor_cellCount_15",
      "vendor_cellUVP_2830mV",
      "vendor_maxBalance_1A",
      "wr_balance_off",
      "wr_balance_on",
      "wr_charge_off",
      "wr_charge_on",
      "wr_discharge_off",
      "wr_discharge_on",
      "wr_display_off_1114_3241",
      "wr_display_on_1114_3251",
    ]) {
      expect(hex(still().ask(capture(`${name}_req`))), name).toBe(hex(capture(`${name}_ack`)));
    }
  });
});

describe("FC03 answers like a captured pack, byte for byte", () => {
  const ask = (bench: BmsBench, register: number, quantity: number, address = 1): string =>
    hex(bench.ask(readRequest(register, quantity, address)));

  it("settings by registers", () => {
    const bench = still({ address: 0, port: "uart1", firmware: "15.30" });
    bench.bms.load(capture("phinix-liion_t01_addr1_a"));
    // What had been changed between the two captures.
    bench.bms.registers.write("DevAddr", 0);
    bench.bms.registers.write("TMPBatCUTPR", 70);
    bench.bms.registers.write("TMPMosOT", 800);
    bench.bms.registers.write("TMPMosOTPR", 700);
    expect(ask(bench, 0x1000, 64, 0)).toBe(hex(capture("phinix-uart1-fc03_reply_addr0_0")));
    expect(ask(bench, 0x1080, 64, 0)).toBe(hex(capture("phinix-uart1-fc03_reply_addr0_1")));
    // The start of the third was not captured; its data is that of 0x10A0.
    expect(ask(bench, 0x10a0, 64, 0)).toBe(hex(capture("phinix-uart1-fc03_reply_addr0_2")));
  });

  it("alarms and the switch word", () => {
    const bench = still();
    expect(hex(bench.ask(capture("fc03_alarm_12A0_req")))).toBe(hex(capture("fc03_alarm_12A0_reply")));
    bench.bms.registers.write("Switches", 0x3200);
    expect(hex(bench.ask(capture("recon_fc03_1114x1_req")))).toBe(hex(capture("recon_fc03_1114x1_reply")));
  });

  /** The first of basmeerman's packs as its app screens show it, set value by value: what FC03 makes of them is what the pack sent. */
  it("settings set by value", () => {
    const bench = still();
    const settings = {
      VolSmartSleep: 3500,
      VolCellUV: 2580,
      VolCellUVPR: 2620,
      VolCellOV: 3650,
      VolCellOVPR: 3580,
      VolBalanTrig: 10,
      VolSOC100: 3590,
      VolSOC0: 2600,
      VolCellRCV: 3600,
      VolCellRFV: 3500,
      VolSysPwrOff: 2500,
      CurBatCOC: 40_000,
      TIMBatCOCPDly: 3,
      TIMBatCOCPRDly: 60,
      CurBatDcOC: 200_000,
      TIMBatDcOCPDly: 300,
      TIMBatDcOCPRDly: 60,
      TIMBatSCPRDly: 5,
      CurBalanMax: 2000,
      TMPBatCOT: 700,
      TMPBatCOTPR: 600,
      TMPBatDcOT: 700,
      TMPBatDcOTPR: 600,
      TMPBatCUT: 20,
      TMPBatCUTPR: 70,
      TMPMosOT: 800,
      TMPMosOTPR: 700,
      CapBatCell: 314_000,
      SCPDelay: 1500,
      VolStartBalan: 3000,
    };
    for (const [name, value] of Object.entries(settings)) bench.bms.registers.write(name, value);
    expect(ask(bench, 0x1000, 100)).toBe(hex(capture("recon_fc03_1000x100_reply")));
  });

  it("telemetry set by value", () => {
    const bench = still();
    const { registers } = bench.bms;
    const resistances = [62, 66, 76, 78, 92, 99, 114, 120, 102, 84, 91, 76, 73, 70, 67, 59];
    for (const [cell, resistance] of resistances.entries()) {
      registers.write("CellVol", 3183, cell);
      registers.write("CellWireRes", resistance, cell);
    }
    const telemetry = {
      CellVolAve: 3183,
      CellVdifMax: 0,
      MaxVolCellNbr: 0,
      MinVolCellNbr: 0,
      TempMos: 231,
      BatVol: 50_923,
      TempBat1: 216,
      TempBat2: 216,
      SOC: 59,
      SOCCapRemain: 184_041,
      SOCFullChargeCap: 314_000,
      SOCCycleCount: 0,
      SOCCycleCap: 24_888,
      RunTime: 0xbaa7b0,
      BatDisCurCorrect: 957,
      BatVol2: 5092,
      SysRunTicks: 0x826b20,
      TempBat3: 231,
      TempBat4: 216,
      TempBat5: 218,
      ChrgCurCorrect: 968,
      RTCTicks: 0x0c14a6fc,
      DetailLogsCount: 36,
    };
    for (const [name, value] of Object.entries(telemetry)) registers.write(name, value);
    registers.write("Reserved130E", 3, 0);
    registers.write("Reserved130E", 0, 1);
    const correction = new DataView(new ArrayBuffer(4));
    correction.setUint32(0, 0x403f2760);
    registers.write("BatVolCorrect", correction.getFloat32(0));
    expect(ask(bench, 0x1200, 120)).toBe(hex(capture("recon_fc03_1200x120_reply")));
    expect(ask(bench, 0x12f0, 16)).toBe(hex(capture("recon_fc03_12F0x16_reply")));
  });

  it("device information set by value", () => {
    const bench = still();
    const { registers } = bench.bms;
    registers.write("ODDRunTime", 0xbaa734);
    registers.write("PWROnTimes", 9);
    registers.writeText("BluetoothName", "10000000000\0P");
    registers.writeText("BluetoothPin", "0000");
    registers.writeText("FirstOnDate", "260110");
    registers.writeText("SerialNumber", "10000000000\x00000");
    registers.writeText("SettingPassword", "000000000000");
    expect(ask(bench, 0x1400, 80)).toBe(hex(capture("recon_fc03_1400x80_reply")));
  });
});
