import { memo, useDeferredValue, useState } from 'react'
import type { Listed, Person } from '#features/people/contract.ts'
import { AdminNotLoaded } from '#features/people/web/ForAdmins.tsx'
import { everybody, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { adminGroupsText } from './admin-groups-text.ts'

interface MemberChecklistProps {
  chosen: ReadonlyMap<number, Person>
  disabled: boolean
  onToggle: (person: Person) => void
}

/** All users except oneself, to choose a group's members from. */
export function MemberChecklist({ chosen, disabled, onToggle }: MemberChecklistProps) {
  const t = useText(adminGroupsText)
  const me = useMe()
  const [text, setText] = useState('')
  // Typing stays quick, however long the list is that the search changes.
  const sought = useDeferredValue(text)
  const { all, rows, waiting } = useUserSearch(everybody, sought)
  const others = rows.filter(({ id }) => id !== me?.id)
  const q = sought.trim()
  return (
    <fieldset className="field" disabled={disabled}>
      <legend className="label">
        {t.members}{' '}
        <span className="meta" role="status">
          {t.chosen(chosen.size)}
        </span>
      </legend>
      <span className="hint">{t.youAreIn}</span>
      <SearchBox label={t.searchBy} text={text} onText={setText} />
      {!all.data && all.isError && (
        <AdminNotLoaded error={all.error} pending={all.isFetching} onRetry={() => all.refetch()} />
      )}
      {!all.data && !all.isError && <RowSkeleton count={6} />}
      {all.data && (
        <ul className="checklist" aria-label={t.allUsers} aria-busy={waiting || undefined}>
          {others.map((person) => (
            <Choice key={person.id} person={person} chosen={chosen.has(person.id)} onToggle={onToggle} />
          ))}
          {!others.length && !waiting && <li className="nobody">{q ? t.nobodyFound(q) : t.nobodyElse}</li>}
          {!q && all.hasNextPage && (
            <li className="list-more">
              <Button pending={all.isFetchingNextPage} onClick={() => all.fetchNextPage()}>
                {t.loadMore}
              </Button>
            </li>
          )}
        </ul>
      )}
    </fieldset>
  )
}

interface ChoiceProps {
  person: Listed
  chosen: boolean
  onToggle: (person: Person) => void
}
const Choice = memo(({ person, chosen, onToggle }: ChoiceProps) => (
  <li>
    <label className="check">
      <input type="checkbox" checked={chosen} onChange={() => onToggle(person)} />
      <Avatar person={person} size="s" />
      <Name className="name">{person.name}</Name>
    </label>
  </li>
))
