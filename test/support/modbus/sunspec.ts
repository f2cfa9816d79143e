/**
 * The SunSpec models as published (github.com/sunspec/models, Apache-2.0), for tests and for docs/modbus.md: nothing of it is the firmware's. A line
 * is a point: its offset from the model's ID or, of the repeated part, from the beginning of each; name, type, registers, scale factor, M if it is mandatory.
 */
export interface Point {
  readonly offset: number;
  readonly name: string;
  readonly type: string;
  readonly registers: number;
  /** Name of the scale factor; empty: none. */
  readonly factor: string;
  readonly isMandatory: boolean;
}

export interface ModelDefinition {
  readonly id: number;
  readonly title: string;
  readonly points: readonly Point[];
  /** Repeated to the end of the model; empty: nothing is. */
  readonly repeated: readonly Point[];
}

const points = (text: string): Point[] =>
  text
    .trim()
    .split("\n")
    .filter((line) => line)
    .map((line) => {
      const [offset, name = "", type = "", registers, factor = "", mandatory] = line.trim().split(" ");
      return {
        ...{ offset: Number(offset), name, type, registers: Number(registers) },
        ...{ factor: factor === "-" ? "" : factor, isMandatory: mandatory === "M" },
      };
    });

const definition = (id: number, title: string, fixed: string, repeated = ""): ModelDefinition => ({
  ...{ id, title },
  points: points(fixed),
  repeated: points(repeated),
});

export const lengthOf = (all: readonly Point[]): number => all.reduce((length, { registers }) => length + registers, 0);

const MODELS: readonly ModelDefinition[] = [
  definition(
    1,
    "Common",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 Mn string 16 - M
18 Md string 16 - M
34 Opt string 8 - -
42 Vr string 8 - -
50 SN string 16 - M
66 DA uint16 1 - -
67 Pad pad 1 - -
`,
  ),
  definition(
    713,
    "DER Storage Capacity",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 WHRtg uint16 1 WH_SF -
3 WHAvail uint16 1 WH_SF -
4 SoC uint16 1 Pct_SF -
5 SoH uint16 1 Pct_SF -
6 Sta enum16 1 - -
7 WH_SF sunssf 1 - -
8 Pct_SF sunssf 1 - -
`,
  ),
  definition(
    714,
    "DER DC Measurement",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 PrtAlrms bitfield32 2 - -
4 NPrt uint16 1 - -
5 DCA int16 1 DCA_SF -
6 DCW int16 1 DCW_SF -
7 DCWhInj uint64 4 DCWH_SF -
11 DCWhAbs uint64 4 DCWH_SF -
15 DCA_SF sunssf 1 - -
16 DCV_SF sunssf 1 - -
17 DCW_SF sunssf 1 - -
18 DCWH_SF sunssf 1 - -
19 Tmp_SF sunssf 1 - -
`,
  ),
  definition(
    802,
    "Battery Base Model",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 AHRtg uint16 1 AHRtg_SF M
3 WHRtg uint16 1 WHRtg_SF M
4 WChaRteMax uint16 1 WChaDisChaMax_SF M
5 WDisChaRteMax uint16 1 WChaDisChaMax_SF M
6 DisChaRte uint16 1 DisChaRte_SF -
7 SoCMax uint16 1 SoC_SF -
8 SoCMin uint16 1 SoC_SF -
9 SocRsvMax uint16 1 SoC_SF -
10 SoCRsvMin uint16 1 SoC_SF -
11 SoC uint16 1 SoC_SF M
12 DoD uint16 1 DoD_SF -
13 SoH uint16 1 SoH_SF -
14 NCyc uint32 2 - -
16 ChaSt enum16 1 - -
17 LocRemCtl enum16 1 - M
18 Hb uint16 1 - -
19 CtrlHb uint16 1 - -
20 AlmRst uint16 1 - M
21 Typ enum16 1 - M
22 State enum16 1 - M
23 StateVnd enum16 1 - -
24 WarrDt uint32 2 - -
26 Evt1 bitfield32 2 - M
28 Evt2 bitfield32 2 - M
30 EvtVnd1 bitfield32 2 - M
32 EvtVnd2 bitfield32 2 - M
34 V uint16 1 V_SF M
35 VMax uint16 1 V_SF -
36 VMin uint16 1 V_SF -
37 CellVMax uint16 1 CellV_SF -
38 CellVMaxStr uint16 1 - -
39 CellVMaxMod uint16 1 - -
40 CellVMin uint16 1 CellV_SF -
41 CellVMinStr uint16 1 - -
42 CellVMinMod uint16 1 - -
43 CellVAvg uint16 1 CellV_SF -
44 A int16 1 A_SF M
45 AChaMax uint16 1 AMax_SF -
46 ADisChaMax uint16 1 AMax_SF -
47 W int16 1 W_SF M
48 ReqInvState enum16 1 - -
49 ReqW int16 1 W_SF -
50 SetOp enum16 1 - M
51 SetInvState enum16 1 - M
52 AHRtg_SF sunssf 1 - M
53 WHRtg_SF sunssf 1 - M
54 WChaDisChaMax_SF sunssf 1 - M
55 DisChaRte_SF sunssf 1 - -
56 SoC_SF sunssf 1 - M
57 DoD_SF sunssf 1 - -
58 SoH_SF sunssf 1 - -
59 V_SF sunssf 1 - M
60 CellV_SF sunssf 1 - M
61 A_SF sunssf 1 - M
62 AMax_SF sunssf 1 - M
63 W_SF sunssf 1 - -
`,
  ),
  definition(
    803,
    "Lithium-Ion Battery Bank Model",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 NStr uint16 1 - M
3 NStrCon uint16 1 - M
4 ModTmpMax int16 1 ModTmp_SF M
5 ModTmpMaxStr uint16 1 - -
6 ModTmpMaxMod uint16 1 - -
7 ModTmpMin int16 1 ModTmp_SF M
8 ModTmpMinStr uint16 1 - -
9 ModTmpMinMod uint16 1 - -
10 ModTmpAvg int16 1 ModTmp_SF -
11 StrVMax uint16 1 V_SF -
12 StrVMaxStr uint16 1 - -
13 StrVMin uint16 1 V_SF -
14 StrVMinStr uint16 1 - -
15 StrVAvg uint16 1 V_SF -
16 StrAMax int16 1 A_SF -
17 StrAMaxStr uint16 1 - -
18 StrAMin int16 1 A_SF -
19 StrAMinStr uint16 1 - -
20 StrAAvg int16 1 A_SF -
21 NCellBal uint16 1 - -
22 CellV_SF sunssf 1 - M
23 ModTmp_SF sunssf 1 - M
24 A_SF sunssf 1 - M
25 SoH_SF sunssf 1 - -
26 SoC_SF sunssf 1 - M
27 V_SF sunssf 1 - -
`,
    `
0 StrNMod uint16 1 - M
1 StrSt bitfield32 2 - M
3 StrConFail enum16 1 - -
4 StrSoC uint16 1 SoC_SF M
5 StrSoH uint16 1 SoH_SF -
6 StrA int16 1 A_SF M
7 StrCellVMax uint16 1 CellV_SF M
8 StrCellVMaxMod uint16 1 - -
9 StrCellVMin uint16 1 CellV_SF M
10 StrCellVMinMod uint16 1 - -
11 StrCellVAvg uint16 1 CellV_SF M
12 StrModTmpMax int16 1 ModTmp_SF M
13 StrModTmpMaxMod uint16 1 - -
14 StrModTmpMin int16 1 ModTmp_SF M
15 StrModTmpMinMod uint16 1 - -
16 StrModTmpAvg int16 1 ModTmp_SF M
17 StrDisRsn enum16 1 - -
18 StrConSt bitfield32 2 - -
20 StrEvt1 bitfield32 2 - M
22 StrEvt2 bitfield32 2 - -
24 StrEvtVnd1 bitfield32 2 - -
26 StrEvtVnd2 bitfield32 2 - -
28 StrSetEna enum16 1 - -
29 StrSetCon enum16 1 - -
30 Pad1 pad 1 - M
31 Pad2 pad 1 - M
`,
  ),
  definition(
    804,
    "Lithium-Ion String Model",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 Idx uint16 1 - M
3 NMod uint16 1 - M
4 St bitfield32 2 - M
6 ConFail enum16 1 - -
7 NCellBal uint16 1 - -
8 SoC uint16 1 SoC_SF M
9 DoD uint16 1 DoD_SF -
10 NCyc uint32 2 - -
12 SoH uint16 1 SoH_SF -
13 A int16 1 A_SF M
14 V uint16 1 V_SF -
15 CellVMax uint16 1 CellV_SF M
16 CellVMaxMod uint16 1 - -
17 CellVMin uint16 1 CellV_SF M
18 CellVMinMod uint16 1 - -
19 CellVAvg uint16 1 CellV_SF M
20 ModTmpMax int16 1 ModTmp_SF M
21 ModTmpMaxMod uint16 1 - M
22 ModTmpMin int16 1 ModTmp_SF M
23 ModTmpMinMod uint16 1 - M
24 ModTmpAvg int16 1 ModTmp_SF M
25 Pad1 pad 1 - M
26 ConSt bitfield32 2 - -
28 Evt1 bitfield32 2 - M
30 Evt2 bitfield32 2 - -
32 EvtVnd1 bitfield32 2 - -
34 EvtVnd2 bitfield32 2 - -
36 SetEna enum16 1 - -
37 SetCon enum16 1 - -
38 SoC_SF sunssf 1 - M
39 SoH_SF sunssf 1 - -
40 DoD_SF sunssf 1 - -
41 A_SF sunssf 1 - M
42 V_SF sunssf 1 - -
43 CellV_SF sunssf 1 - M
44 ModTmp_SF sunssf 1 - M
45 Pad2 pad 1 - M
46 Pad3 pad 1 - M
47 Pad4 pad 1 - M
`,
    `
0 ModNCell uint16 1 - M
1 ModSoC uint16 1 SoC_SF -
2 ModSoH uint16 1 SoH_SF -
3 ModCellVMax uint16 1 CellV_SF M
4 ModCellVMaxCell uint16 1 - -
5 ModCellVMin uint16 1 CellV_SF M
6 ModCellVMinCell uint16 1 - -
7 ModCellVAvg uint16 1 CellV_SF M
8 ModCellTmpMax int16 1 ModTmp_SF M
9 ModCellTmpMaxCell uint16 1 - -
10 ModCellTmpMin int16 1 ModTmp_SF M
11 ModCellTmpMinCell uint16 1 - -
12 ModCellTmpAvg int16 1 ModTmp_SF M
13 Pad5 pad 1 - M
14 Pad6 pad 1 - M
15 Pad7 pad 1 - M
`,
  ),
  definition(
    805,
    "Lithium-Ion Module Model",
    `
0 ID uint16 1 - M
1 L uint16 1 - M
2 StrIdx uint16 1 - M
3 ModIdx uint16 1 - M
4 NCell uint16 1 - M
5 SoC uint16 1 SoC_SF -
6 DoD uint16 1 DoD_SF -
7 SoH uint16 1 SoH_SF -
8 NCyc uint32 2 - -
10 V uint16 1 V_SF M
11 CellVMax uint16 1 CellV_SF M
12 CellVMaxCell uint16 1 - -
13 CellVMin uint16 1 CellV_SF M
14 CellVMinCell uint16 1 - -
15 CellVAvg uint16 1 CellV_SF M
16 CellTmpMax int16 1 Tmp_SF M
17 CellTmpMaxCell uint16 1 - -
18 CellTmpMin int16 1 Tmp_SF M
19 CellTmpMinCell uint16 1 - -
20 CellTmpAvg int16 1 Tmp_SF M
21 NCellBal uint16 1 - -
22 SN string 16 - -
38 SoC_SF sunssf 1 - -
39 SoH_SF sunssf 1 - -
40 DoD_SF sunssf 1 - -
41 V_SF sunssf 1 - M
42 CellV_SF sunssf 1 - M
43 Tmp_SF sunssf 1 - M
`,
    `
0 CellV uint16 1 CellV_SF M
1 CellTmp int16 1 Tmp_SF M
2 CellSt bitfield32 2 - -
`,
  ),
];

export function definitionOf(id: number): ModelDefinition {
  const found = MODELS.find((model) => model.id === id);
  if (!found) throw new RangeError(`no model ${id}`);
  return found;
}
