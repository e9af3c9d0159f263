import type { Person } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useHere } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { chatText } from './text.ts'

/** An avatar with a dot while the person is online. */
export function PresenceAvatar({ person }: { person: Person }) {
  const t = useText(chatText)
  const isHere = useHere().has(person.id)
  return (
    <span className="with-lamp" data-here={isHere || undefined}>
      <Avatar person={person} />
      {isHere && <span className="hide">{t.hereNow}</span>}
    </span>
  )
}
