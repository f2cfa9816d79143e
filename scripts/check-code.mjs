/**
 * Type errors, and what ESLint finds, in everything but the firmware's own project, which tsc checks. In one process: both need the types
 * of every expression, and working these out takes most of the time. A project's own files are checked; what they import is in another's.
 */
import { ESLint } from "eslint";
import ts from "typescript";
import { PROJECTS } from "../eslint.config.mjs";

const host = ts.createCompilerHost({});

function programOf(/** @type {string} */ folder) {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (problem) => {
        throw new Error(ts.formatDiagnostic(problem, host));
      },
    },
  );
  if (!config) throw new Error(`${folder}/tsconfig.json cannot be read`);
  const { fileNames, options, errors } = config;
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

/** What it imports of the simulator may use nothing of Node's, which its own project does not find. */
const WHOLE = "web-sim";

function problemsOf(/** @type {ts.Program} */ program, /** @type {boolean} */ isWhole) {
  if (isWhole) return ts.getPreEmitDiagnostics(program);
  const own = program.getRootFileNames().map((name) => program.getSourceFile(name));
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
}

const programs = PROJECTS.map(programOf);
const problems = ts.sortAndDeduplicateDiagnostics(
  programs.flatMap((program, at) => problemsOf(program, PROJECTS[at] === WHOLE)),
);
process.stdout.write(ts.formatDiagnostics(problems, host));

const eslint = new ESLint({ overrideConfig: { languageOptions: { parserOptions: { programs, project: null } } } });
const results = await eslint.lintFiles(["."]);
process.stdout.write(await (await eslint.loadFormatter("stylish")).format(results));

// A warning is a defect too.
process.exitCode = problems.length || results.some((file) => file.errorCount + file.warningCount) ? 1 : 0;
