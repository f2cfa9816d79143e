import type { Saying } from "../sayings";

/** What the device says, and the same in Portuguese; the first that fits holds. test/web-page/said.test.ts misses those that are missing. */
export const SAID_PT: readonly Saying[] = [
  // Settings of the device and of the BMS (src/settings, src/bms).
  ["{field} must be true or false.", "{field} precisa ser ligado ou desligado."],
  [
    "{field} must be a whole number from {number1} to {number2}{unit}.",
    "{field} precisa ser um número inteiro de {number1} a {number2}{unit}.",
  ],
  [
    "{field} must be a number from {number1} to {number2}{unit}.",
    "{field} precisa ser um número de {number1} a {number2}{unit}.",
  ],
  ["{field} must be one of {text}.", "{field} precisa ser um destes: {text}."],
  ["{field} must be {number1} to {number2} {rule}.", "{field} precisa ter {number1} a {number2} caracteres: {rule}."],
  ["{field} must be an object.", "{field} precisa ser um objeto."],
  ["{field} must be a list of {number}.", "{field} precisa ser uma lista de {number}."],
  ["{field} was given a member that is no setting.", "{field} recebeu um valor que não é uma configuração."],
  ["{field1} and {field2} must differ.", "{field1} e {field2} precisam ser diferentes."],
  ["The settings could not be stored.", "Não foi possível salvar as configurações."],
  ["There is no such group of settings.", "Não existe esse grupo de configurações."],

  // The configuration (src/resources).
  ["BMS indisponivel.", "O BMS não responde."],
  [
    "The BMS setup frame is not loaded yet. Retry after the next BMS read cycle.",
    "A configuração do BMS ainda não foi lida. Tente de novo após a próxima leitura.",
  ],

  // The relay (src/resources).
  ["Relay control blocked: the relay is not configured in manual mode.", "O relé não está em modo manual."],

  // The device (src/web).
  ["A factory reset must be confirmed{text}", "A restauração de fábrica precisa ser confirmada."],

  // Requests that cannot be taken (src/web, src/resources, modules/http-server).
  [
    "Too many listeners. Poll the documents instead.",
    "Há navegadores demais conectados. Os dados são pedidos de vez em quando.",
  ],
  ["Too many connections.", "Conexões demais."],
  ["The request took too long.", "A requisição demorou demais."],
  ["Internal error.", "Erro interno."],
  ["Not found.", "Não existe neste aparelho."],
  ["Method not allowed on {text}.", "Método não permitido em {text}."],
  ["Invalid {text}", "Requisição inválida."],
  ["Content-Type must be {text}.", "O Content-Type precisa ser {text}."],
  ["Content-Length is missing.", "Falta o Content-Length."],
  ["The request body must be {number1} to {number2} bytes.", "A requisição precisa ter {number1} a {number2} bytes."],
  ["Request header fields too large.", "O cabeçalho da requisição é longo demais."],
  ["Too many header fields.", "O cabeçalho da requisição tem campos demais."],

  // The log of events (src/events, src/firmware.ts).
  ["Reason of the start: {reason}.", "Motivo da inicialização: {reason}."],
  ["The button opened the access point, with a new password.", "O botão abriu o ponto de acesso, com uma senha nova."],
  ["It had crashed: {text}.", "Havia falhado: {text}."],
  [
    "Safe mode: network, page, update and log alone are running.",
    "Modo seguro: só a rede, a página, a atualização e o registro funcionam.",
  ],
  ["Started, firmware {text1} ({text2}).", "Inicialização, firmware {text1} ({text2})."],
  ["Stopped.", "Parado."],
  ["BMS online.", "O BMS responde."],
  ["BMS offline.", "O BMS deixou de responder."],
  ["Alarm raised: {alarm}.", "Alarme: {alarm}."],
  ["Alarm cleared: {alarm}.", "Alarme encerrado: {alarm}."],
  ["Write: {write}", "Escrita: {write}"],
  ["Relay switched on.", "Relé ligado."],
  ["Relay switched off.", "Relé desligado."],
  ["Update to an older firmware, {text}.", "Atualização para um firmware mais antigo, {text}."],
  ["Settings of the group {group} changed.", "Configurações alteradas: {group}."],
  ["Settings: more.", "Configurações: há mais problemas."],
  ["Settings: configured {said}.", "Configurações da placa: {said}."],
  ["Settings: {said}.", "Configurações: {said}."],
  [
    "storage could not be opened, was set aside and begun anew",
    "a memória não abriu: foi deixada de lado, e outra começou do zero",
  ],
  [
    "storage is broken, and another place in the flash stands in for it",
    "a memória está com defeito: outro lugar da flash a substitui",
  ],
  ["storage was lost and begun anew", "a memória se perdeu, e outra começou do zero"],
  ["storage cannot be opened", "não foi possível abrir a memória"],
  ["{field} cannot be opened", "não foi possível abrir {field}"],
  ["{field} cannot be read", "não foi possível ler {field}"],
  ["{field} cannot be stored", "não foi possível salvar {field}"],
  ["{field} is corrupt", "{field} está corrompido"],
  ["{field} is of an older version", "{field} é de uma versão anterior"],
  ["{field} is of a newer version", "{field} é de uma versão mais recente"],
  ["{field} is missing", "falta {field}"],
  ["{field} is not allowed", "{field} não é permitido"],
  ["{field} is equal to {member}", "{field} é igual a {member}"],

  // MQTT, in the log (src/mqtt).
  ["MQTT: {problem}", "MQTT: {problem}"],
];
