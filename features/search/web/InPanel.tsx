import { useState } from 'react'
import { foldNameForSearch } from '#core/text/fold-names.ts'
import { useConversations } from '#features/conversations/web/lists.ts'
import * as chats from '#features/conversations/web/state.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { filterText } from './text.ts'

/** At once; the box finds the others. */
const MAX_SHOWN = 6

/** Groups and chats of the member, newest first. */
export default function InPanel({ onChoose }: { onChoose: (place: string) => void }) {
  const t = useText(filterText)
  const explain = useErrorText()
  const [text, setText] = useState('')
  const groups = useConversations('groups')
  const privateChats = useConversations('private')
  const error = groups.error ?? privateChats.error
  const isLoaded = groups.rows && privateChats.rows
  const wanted = foldNameForSearch(text.trim())
  const found = [...(groups.rows ?? []), ...(privateChats.rows ?? [])]
    .filter(({ name }) => foldNameForSearch(name).includes(wanted))
    .sort(chats.byActivity)
    .slice(0, MAX_SHOWN)
  return (
    <>
      <SearchBox label={t.findPlace} text={text} onText={setText} autoFocus />
      {error && <Notice kind="error">{explain(error)}</Notice>}
      {!isLoaded && !error && <RowSkeletons count={3} />}
      {isLoaded && (
        <ul className="filter-rows" aria-label={t.places}>
          {found.map((chat) => {
            const { kind, id, name, person, picture } = chat
            return (
              <li key={chats.keyOf(chat)}>
                <button
                  type="button"
                  onClick={() => onChoose(`${kind === 'groups' ? 'group' : 'person'}:${id}`)}
                >
                  <Avatar
                    person={person ?? { id, name, profile_image: picture || null }}
                    size="s"
                    {...(!person && { group: true })}
                  />
                  <UserText>{name}</UserText>
                  {person && <SharedHandle person={person} />}
                  <span className="text-meta">{person ? t.chatWith : t.group}</span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {isLoaded && !found.length && (
        <p className="text-meta" role="status">
          {t.nowhere}
        </p>
      )}
    </>
  )
}
