import type { Me } from '#features/people/contract.ts'
import type { GroupChange } from '../group-contract.ts'
import type { chatText } from './text.ts'

/**
 * Returns the sentence that a chat shows about one group change, or about several additions by the same
 * person.
 */
export function formatGroupChangeSentence(
  changes: readonly GroupChange[],
  me: Me,
  t: (typeof chatText)['en'],
) {
  const { kind, actor, person, name, slow_mode_seconds } = changes[0]!
  const isHandedOver = kind === 'owner' && actor !== null
  const actorName = actor?.name ?? t.somebody
  if (kind !== 'added')
    return t.change[kind](
      actorName,
      person?.name ?? t.somebody,
      name ?? (isHandedOver || slow_mode_seconds ? 'on' : ''),
    )
  const others = changes.filter((change) => change.person?.id !== me.id || actor?.id === me.id)
  return t.added(
    actorName,
    others.map((change) => change.person?.name ?? t.somebody),
    others.length < changes.length,
  )
}
