import type { Me } from '#features/people/contract.ts'
import type { GroupChange } from '../contract.ts'
import type { chatText } from './text.ts'

/** The changes are one, or several additions by the same person. */
export function describeChanges(changes: readonly GroupChange[], me: Me, t: (typeof chatText)['en']) {
  const { kind, actor, person, name, slow_mode_seconds } = changes[0]!
  const isHandedOver = kind === 'owner' && actor !== null
  const actorName = actor?.name ?? t.somebody
  if (kind !== 'added')
    return t.change[kind](
      actorName,
      person?.name ?? t.somebody,
      name ?? (isHandedOver || slow_mode_seconds ? 'on' : ''),
    )
  if (actor && actor.id === person?.id) return t.joined(actorName)
  const others = changes.filter((change) => change.person?.id !== me.id || actor?.id === me.id)
  return t.added(
    actorName,
    others.map((change) => change.person?.name ?? t.somebody),
    others.length < changes.length,
  )
}
