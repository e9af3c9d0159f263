import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { useConversations, useMyGroups, useWatchLists } from './conversation-lists.tsx'
import { GroupRow } from './Groups.tsx'
import { PrivateRow } from './PrivateChats.tsx'
import { chatText } from './text.ts'
import { useUnread } from './unread.ts'

const MOST_WAITING = 5
const MOST_GROUPS = 5

/** What waits to be read, and one's groups. Where it cannot be had, nothing stands here: the chat pages say why. */
export default function Beside({ me }: { me: Me }) {
  const t = useText(chatText)
  const unread = useUnread()
  const conversations = useConversations()
  const groups = useMyGroups()
  useWatchLists(me)
  if (!conversations.data || !groups.data) return null

  const row = { me: me.id, current: false }
  const waiting = [
    ...conversations.data
      .filter(({ user }) => unread.private[user.id])
      .map((one) => ({
        last: one.last_message,
        row: <PrivateRow key={`private ${one.user.id}`} conversation={one} {...row} />,
      })),
    ...groups.data
      .filter(({ id }) => unread.groups[id])
      .map((one) => ({
        last: one.last_message,
        row: <GroupRow key={`group ${one.id}`} group={one} {...row} />,
      })),
  ].sort((a, b) => (b.last?.id ?? 0) - (a.last?.id ?? 0))
  if (!waiting.length && !groups.data.length)
    return (
      <section>
        <h2>{t.conversations}</h2>
        <p className="soft">{t.nothingWaits}</p>
        <Link className="link" href="/follow">
          {t.searchUsers}
        </Link>
      </section>
    )
  const quiet = groups.data.filter(({ id }) => !unread.groups[id])
  return (
    <>
      {waiting.length > 0 && (
        <section>
          <h2>{t.waitingForYou}</h2>
          <ul className="rows">{waiting.slice(0, MOST_WAITING).map(({ row }) => row)}</ul>
        </section>
      )}
      {quiet.length > 0 && (
        <section>
          <h2>{t.yourGroups}</h2>
          <ul className="rows">
            {quiet.slice(0, MOST_GROUPS).map((group) => (
              <GroupRow key={group.id} group={group} still {...row} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
