import { useState } from 'react'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { allUsersSource, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { filter } from './filters.ts'
import { filterText } from './text.ts'

/** At once; the box finds the others. */
const MAX_SHOWN = 6

export default function FromPanel({ onChoose }: { onChoose: (filter: string) => void }) {
  const t = useText(filterText)
  const explain = useErrorText()
  const me = useMe()!
  const [text, setText] = useState('')
  const { query, rows, isSearching } = useUserSearch(allUsersSource, text)
  const others = rows.filter(({ id }) => id !== me.id).slice(0, MAX_SHOWN)
  return (
    <>
      <SearchBox label={t.findPerson} text={text} onText={setText} autoFocus />
      {query.isError && <Notice kind="error">{explain(query.error)}</Notice>}
      {query.isPending && <RowSkeletons count={3} />}
      {query.data && (
        <ul className="filter-rows" aria-label={t.people}>
          {!text && (
            <li>
              <button type="button" onClick={() => onChoose(filter('from', 'me'))}>
                <Avatar person={me} size="s" />
                {t.me}
              </button>
            </li>
          )}
          {others.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                onClick={() =>
                  onChoose(filter('from', person.shared_handle ? `@${person.shared_handle}` : person.name))
                }
              >
                <Avatar person={person} size="s" />
                <UserText>{person.name}</UserText>
                <SharedHandle person={person} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {query.data && text && !others.length && !isSearching && (
        <p className="text-meta" role="status">
          {t.nobody}
        </p>
      )}
    </>
  )
}
