import { findNearestName } from '#core/text/nearest-name.ts'
import { fileVariableOf } from './secret-files.ts'
import { variables } from './settings.ts'
import type { VariableDefinition } from './values.ts'

/** What the names of variables begin with that nobody but Engawa reads. */
const PREFIXES = ['ENGAWA_', 'BACKUP_', 'SMTP_', 'MAIL_', 'MEDIA_', 'PUSHER_', 'WEBHOOK_']
/** Variables that other programs read, and whose names are near those of settings. */
const FOREIGN = ['HOME', 'HOSTS', 'PORTS', 'MAIL', 'MAILTO', 'SMTP_PROXY']

const settings = Object.entries<VariableDefinition>(variables)
const known = settings.flatMap(([name, { isSecret }]) => [name, ...(isSecret ? [fileVariableOf(name)] : [])])
/**
 * The edits up to which a name counts as a mistyped setting: few for short names, which are often other
 * words.
 */
const toMaxEdits = (name: string) => (name.length < 6 ? 1 : 2)

/**
 * Returns a sentence for each variable that is no setting but looks like one: it begins as settings do, or a
 * few letters differ, or names a file for a setting that is no secret. The sentences have no values.
 */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>) {
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !FOREIGN.includes(name))
    .flatMap((name) => {
      const upper = name.toUpperCase().replaceAll('-', '_')
      const bare = upper.replace(/^ENGAWA_/, '')
      const setting = settings.find(([setting]) => fileVariableOf(setting) === bare)?.[0]
      if (setting && !known.includes(bare))
        return `${name} has no effect, because only secrets can stand in files. Set ${setting} itself.`
      const nearest = findNearestName(bare, known, toMaxEdits(bare))
      const prefix = PREFIXES.find((prefix) => upper.startsWith(prefix))
      if (!nearest && !prefix) return []
      const related = nearest ? [nearest] : known.filter((setting) => setting.startsWith(prefix!))
      const hint = related.length ? ` Did you mean ${related.join(' or ')}?` : ''
      return `There is no setting ${name}, so it has no effect.${hint}`
    })
}
