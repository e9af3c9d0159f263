import '#features/people/web/people.css'
import { Users } from 'lucide-react'
import { useState } from 'react'
import type { ListedUser, Me } from '#features/people/contract.ts'
import { InviteLink } from '#features/people/web/InviteLink.tsx'
import { Reading } from '#features/people/web/Reading.tsx'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { peopleText } from '#features/people/web/text.ts'
import { allUsersSource, type UserSource, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse } from '#web/keyboard.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { conversationEndpoints } from '../contract.ts'
import { getCreatePath } from './List.tsx'
import { newChatText } from './new-chat-text.ts'
import { chatText } from './text.ts'

const groupmatesSource: UserSource<ListedUser> = {
  ...allUsersSource,
  key: conversationEndpoints.groupmates.path,
  fetchPage: (q, from) => fetchPage(conversationEndpoints.groupmates, { q }, from),
  initialPage: () => undefined,
}

interface Props {
  me: Me
  onClose: () => void
}

/** The page of the chat follows the chosen person where that is needed. */
export default function NewChatDialog({ me, onClose }: Props) {
  const t = useText(newChatText)
  const p = useText(peopleText)
  const { newChat, createGroup } = useText(chatText)
  const [text, setText] = useState('')
  const groupmates = useUserSearch(groupmatesSource, text)
  const all = useUserSearch(allUsersSource, text)
  const known = new Set([me.id, ...groupmates.rows.map(({ id }) => id)])
  const others = all.rows.filter(({ id }) => !known.has(id))
  const queries = [groupmates.query, all.query]
  const failed = queries.find((query) => query.isError && !query.data)
  const isLoading = queries.some((query) => query.isPending) || groupmates.isSearching || all.isSearching
  const isEmpty = !groupmates.rows.length && !others.length
  const createPath = getCreatePath(me)
  return (
    <Dialog open title={newChat} onClose={onClose} className="people-list">
      {/* A focused search box would open the keyboard of a phone above the list. */}
      <p className="text-meta" tabIndex={hasMouse() ? undefined : -1}>
        {t.help}
      </p>
      <SearchBox label={p.searchBy} text={text} onText={setText} />
      <div className="lists">
        <People title={t.groupmates} people={groupmates.rows} onClose={onClose} />
        <People
          title={groupmates.rows.length ? t.others : t.everyone}
          people={others}
          onClose={onClose}
          onMore={all.query.hasNextPage && !text ? () => all.query.fetchNextPage() : undefined}
        />
        {failed && <LoadErrorMessage plain error={failed.error} onRetry={() => failed.refetch()} />}
        {isLoading && isEmpty && !failed && <RowSkeletons count={4} />}
        {!isLoading && isEmpty && !failed && (
          <p className="text-meta">{text.trim() ? p.nobodyFound(text.trim()) : t.nobody}</p>
        )}
      </div>
      <div className="dialog-actions">
        <InviteLink />
        {createPath && (
          <ButtonLink icon={Users} href={createPath}>
            {createGroup}
          </ButtonLink>
        )}
        <Button onClick={onClose}>{p.close}</Button>
      </div>
    </Dialog>
  )
}

interface PeopleProps {
  title: string
  people: readonly ListedUser[]
  onClose: () => void
  onMore?: (() => void) | undefined
}

function People({ title, people, onClose, onMore }: PeopleProps) {
  const { loadMore } = useText(peopleText)
  if (!people.length) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <Link
              className="row"
              href={`/privatechat/${person.id}`}
              state={{ begin: person.name }}
              onClick={onClose}
            >
              <Avatar person={person} />
              <span className="text">
                <UserText className="name">{person.name}</UserText>
                <Reading person={person} aria-hidden />
                <SharedHandle person={person} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {onMore && <Button onClick={onMore}>{loadMore}</Button>}
    </section>
  )
}
