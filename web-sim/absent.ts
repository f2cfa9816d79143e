/** What a browser does not have: said in front of the forms of the firmware's page, which knows nothing of this host. */
type Sentence = readonly [en: string, pt: string];

const SIMULATED: Sentence = [
  "In this browser the network is simulated: nothing here reaches yours.",
  "Neste navegador a rede é simulada: nada daqui chega à sua.",
];

/** By the name of the form. */
const ABSENT: Readonly<Record<string, Sentence>> = {
  mqtt: [
    "A browser opens no TCP connections: no broker is reached from here.",
    "Um navegador não abre conexões TCP: daqui nenhum broker é alcançado.",
  ],
  snmp: [
    "A browser has no UDP: nobody can ask this device by SNMP.",
    "Um navegador não tem UDP: ninguém consulta este aparelho por SNMP.",
  ],
  syslog: ["A browser has no UDP: nothing is sent from here.", "Um navegador não tem UDP: daqui nada é enviado."],
  identity: [
    "A browser has no mDNS: the host name is not announced.",
    "Um navegador não tem mDNS: o nome na rede não é anunciado.",
  ],
  network: SIMULATED,
  accessPoint: SIMULATED,
};

const rule = (name: string, language: string, text: string): string =>
  `form[name=${name}]:lang(${language})::before { content: ${JSON.stringify(text)}; display: block; font-weight: bold; }`;

/** On the page in the frame, each time it has loaded. */
export function sayWhatIsAbsent(frame: HTMLIFrameElement): void {
  const { contentDocument: page, contentWindow: window } = frame;
  if (!page || !window) return;
  const sheet = new (window as unknown as typeof globalThis).CSSStyleSheet();
  for (const [name, [en, pt]] of Object.entries(ABSENT)) {
    sheet.insertRule(rule(name, "en", en));
    sheet.insertRule(rule(name, "pt", pt));
  }
  page.adoptedStyleSheets = [sheet];
}
