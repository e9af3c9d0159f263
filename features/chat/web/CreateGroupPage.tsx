import './admin-groups.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, memo, useCallback, useDeferredValue, useEffect, useState } from 'react'
import type { Listed, Person } from '#features/people/contract.ts'
import { AdminNotLoaded, ForAdmins, ToDashboard } from '#features/people/web/ForAdmins.tsx'
import { everybody, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { groups } from '../contract.ts'
import { GroupCreated, useAddMembers } from './AddMembers.tsx'
import { adminGroupsText, fixed } from './admin-groups-text.ts'

const MOST_AVATARS = 4

type Chosen = ReadonlyMap<number, Person>
const nobody: Chosen = new Map()

export default function CreateGroupPage() {
  const t = useText(adminGroupsText)
  const [chosen, setChosen] = useState(nobody)
  const { adding, add, retry, forget } = useAddMembers()
  const people = [...chosen.values()]

  const toggle = useCallback((person: Person) => {
    setChosen((now) => {
      const next = new Map(now)
      if (!next.delete(person.id)) next.set(person.id, person)
      return next
    })
  }, [])
  const startAnew = () => {
    setChosen(nobody)
    forget()
    focusLater('input')
  }
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.createGroup}>{useMe()?.is_admin && <ChosenAvatars people={people} />}</PageHeader>
      <ForAdmins>
        <ToDashboard />
        {adding ? (
          <GroupCreated adding={adding} onRetry={() => retry(adding)} onAnother={startAnew} />
        ) : (
          <GroupForm chosen={chosen} onToggle={toggle} onCreated={(group) => add(group, people)} />
        )}
      </ForAdmins>
    </PageLayout>
  )
}

/** The chosen people, in the page's header; an empty place while nobody is chosen. */
function ChosenAvatars({ people }: { people: readonly Person[] }) {
  const t = useText(adminGroupsText)
  return (
    <div className="sitting" role="img" aria-label={t.chosenAre(people.length)}>
      {people.slice(0, MOST_AVATARS).map((person) => (
        <Avatar key={person.id} person={person} size="s" />
      ))}
      {people.length ? (
        <span className="more">{t.chosen(people.length)}</span>
      ) : (
        <Avatar person={null} size="s" />
      )}
    </div>
  )
}

interface GroupFormProps {
  chosen: Chosen
  onToggle: (person: Person) => void
  onCreated: (group: { id: number; name: string }) => void
}
function GroupForm({ chosen, onToggle, onCreated }: GroupFormProps) {
  const t = useText(adminGroupsText)
  const explain = useExplain()
  const [name, setName] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api(groups.create, { name }),
    onSuccess: ({ group }) => onCreated(group),
    onError: (error) => {
      toast(<QuotedText {...fixed.notCreated} />, { key: 'group not created', kind: 'bad', alert: true })
      if (isHttpError(error, 401)) pleaseLogIn()
    },
  })
  useEffect(() => {
    if (error) focusLater('[aria-invalid="true"]')
  }, [error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const wrong = error instanceof ApiError ? error.errors.name?.[0] : undefined
  return (
    <form className="board alone group-form" noValidate onSubmit={submit}>
      <Field
        label={t.groupName}
        error={wrong}
        name="name"
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <MemberChecklist chosen={chosen} disabled={isPending} onToggle={onToggle} />
      {error && !wrong && <Notice kind="bad">{explain(error)}</Notice>}
      <div className="form-end">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  )
}

interface MemberChecklistProps {
  chosen: Chosen
  disabled: boolean
  onToggle: (person: Person) => void
}

/** All users except oneself, to choose a group's members from. */
function MemberChecklist({ chosen, disabled, onToggle }: MemberChecklistProps) {
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
