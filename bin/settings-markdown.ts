import { fileVariableOf } from '#core/environment/secret-files.ts'
import { variableGroups } from '#core/environment/settings.ts'
import type { VariableDefinition } from '#core/environment/values.ts'

// This module makes .env.example and the tables of settings in docs/self-hosting.md, which `npm run generate`
// writes.

const groups = Object.entries<Record<string, VariableDefinition>>(variableGroups)

const head = `# Settings of Engawa with their defaults. Copy this file to .env, and remove the # before a line to set it.
# Engawa does not read .env by itself:
#   a shell      set -a; . ./.env; set +a; npm start
#   systemd      EnvironmentFile= in deploy/engawa.service
#   compose      compose.yaml reads .env, and passes on the settings that it names
# A secret can also stand in a file: SECRET_FILE=/run/secrets/secret in place of SECRET
# A value with spaces or other signs stands between single quotes: MAIL_FROM='Engawa <engawa@town.example>'
`

/** Returns the text of .env.example: a comment and a line for each environment variable. */
export const renderEnvExample = () =>
  head +
  groups
    .map(([title, settings]) => `\n# ── ${title}\n${Object.entries(settings).map(envLines).join('')}`)
    .join('')

/** The variables of a setting: its name and, for a secret, the one that names a file. */
const variablesOf = ([name, { isSecret }]: [string, VariableDefinition]) =>
  isSecret ? [name, fileVariableOf(name)] : [name]

function envLines(setting: [string, VariableDefinition]) {
  const { description, standard, unset } = setting[1]
  const text = unset ? `${description} Default: ${unset}.` : description
  const lines = variablesOf(setting).map((name) => `#${name}=${standard ?? ''}\n`)
  return `\n${commented(text.replaceAll('`', ''))}${lines.join('')}`
}
const commented = (text: string) => text.replace(/(.{1,100})(?: |$)/g, '# $1\n')

/** The settings that compose.yaml gives a value of its own, or that the image sets. */
const setByCompose = ['PORT', 'HOST', 'PUBLIC_URL', 'TRUST_PROXY', 'DATA_DIR']

/** Returns the lines of compose.yaml that pass all other settings on. An empty value is the default. */
export const renderComposeEnvironment = () =>
  groups
    .flatMap(([, settings]) => Object.entries(settings).flatMap(variablesOf))
    .filter((name) => !setByCompose.includes(name))
    .map((name) => `      ${name}: \${${name}:-}\n`)
    .join('')

/** Returns a Markdown text with a table for each group of environment variables. */
export const renderVariables = () =>
  groups
    .map(([title, settings]) =>
      [
        `### ${title}`,
        '',
        '| variable | default | meaning |',
        '|---|---|---|',
        ...Object.entries(settings).map(row),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('\n')

function row(setting: [string, VariableDefinition]) {
  const { description, standard, unset } = setting[1]
  const names = variablesOf(setting).map((name) => `\`${name}\``)
  return `| ${names.join(', ')} | ${unset ?? (standard || 'none')} | ${description} |`
}
