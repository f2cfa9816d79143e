/**
 * Type errors, and what ESLint finds, in everything but the firmware's own project, which tsc checks. In one process: both need the types
 * of every expression, and working these out takes most of the time.
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

const programs = PROJECTS.map(programOf);
const problems = ts.sortAndDeduplicateDiagnostics(programs.flatMap((program) => ts.getPreEmitDiagnostics(program)));
process.stdout.write(ts.formatDiagnostics(problems, host));

const eslint = new ESLint({ overrideConfig: { languageOptions: { parserOptions: { programs, project: null } } } });
const results = await eslint.lintFiles(["."]);
process.stdout.write(await (await eslint.loadFormatter("stylish")).format(results));

// A warning is a defect too.
process.exitCode = problems.length || results.some((file) => file.errorCount + file.warningCount) ? 1 : 0;
