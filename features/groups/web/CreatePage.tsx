import './create.css'
import { useMutation } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import {
  type FormEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import type { ListedUser, Person } from '#features/people/contract.ts'
import { AdminLoadError, DashboardLink, RequireAdmin } from '#features/people/web/RequireAdmin.tsx'
import { allUsersSource, useUserSearch } from '#features/people/web/useUserSearch.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Field } from '#web/ui/Field.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { groupEndpoints } from '../contract.ts'
import { adminGroupsText, adminSpecTexts } from './admin-text.ts'
import { AddProgressCard, useAddMembers } from './useAddMembers.tsx'

const MAX_AVATARS = 4

type ChosenPeople = ReadonlyMap<number, Person>
const noPeople: ChosenPeople = new Map()

/** For admins; at another path also for members, while the settings let members create groups. */
export default function CreatePage() {
  const t = useText(adminGroupsText)
  const me = useMe()
  const [isRefused, setIsRefused] = useState(false)
  const mayCreate = me && !isRefused && (me.is_admin || pageData.app.membersCreateGroups)
  const [chosen, setChosen] = useState(noPeople)
  const { adding, add, retry, reset } = useAddMembers()
  const people = [...chosen.values()]

  const toggle = useCallback((person: Person) => {
    setChosen((now) => {
      const next = new Map(now)
      if (!next.delete(person.id)) next.set(person.id, person)
      return next
    })
  }, [])
  const createAnother = () => {
    setChosen(noPeople)
    reset()
    focusFirst('input')
  }
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.createGroup}>{mayCreate && <ChosenAvatars people={people} />}</PageHeader>
      <RequireGroupCreator mayCreate={Boolean(mayCreate)}>
        {me?.is_admin ? (
          <DashboardLink />
        ) : (
          <ButtonLink kind="ghost" small className="to-dashboard" icon={ChevronLeft} href="/my-groups">
            {t.toGroups}
          </ButtonLink>
        )}
        {adding ? (
          <AddProgressCard adding={adding} onRetry={() => retry(adding)} onCreateAnother={createAnother} />
        ) : (
          <GroupForm
            chosen={chosen}
            onToggle={toggle}
            onCreated={(group) => add(group, people)}
            onRefused={() => setIsRefused(true)}
          />
        )}
      </RequireGroupCreator>
    </PageLayout>
  )
}

/** At the path for members, tells people who may not create groups whom to ask. The server checks again. */
function RequireGroupCreator({ mayCreate, children }: { mayCreate: boolean; children: ReactNode }) {
  const t = useText(adminGroupsText)
  const me = useMe()
  const [path] = useLocation()
  if (mayCreate) return children
  if (!me || me.needs_second_step || path.startsWith('/admin')) return <RequireAdmin>{children}</RequireAdmin>
  return (
    <EmptyState title={t.adminsCreateGroups} help={t.adminsCreateGroupsHelp}>
      <ButtonLink href="/my-groups">{t.toGroups}</ButtonLink>
    </EmptyState>
  )
}

const ChosenAvatars = ({ people }: { people: readonly Person[] }) => (
  <div className="chosen-avatars" aria-hidden="true">
    {people.slice(0, MAX_AVATARS).map((person) => (
      <Avatar key={person.id} person={person} size="s" />
    ))}
    {!people.length && <Avatar person={null} size="s" />}
  </div>
)

interface GroupFormProps {
  chosen: ChosenPeople
  onToggle: (person: Person) => void
  onCreated: (group: { id: number; name: string }) => void
  /** The server answers so when the settings have changed meanwhile. */
  onRefused: () => void
}
function GroupForm({ chosen, onToggle, onCreated, onRefused }: GroupFormProps) {
  const t = useText(adminGroupsText)
  const explain = useErrorText()
  const [name, setName] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => callEndpoint(groupEndpoints.create, { name }),
    onSuccess: ({ group }) => onCreated(group),
    onError: (error) => {
      showToast(<QuotedText {...adminSpecTexts.notCreated} />, {
        key: 'group not created',
        kind: 'error',
        alert: true,
      })
      if (hasStatus(error, 401)) showLogInToast()
      if (hasStatus(error, 403)) onRefused()
    },
  })
  useEffect(() => {
    if (error) focusFirst('[aria-invalid="true"]')
  }, [error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const nameError = error instanceof ApiError ? error.errors.name?.[0] : undefined
  return (
    <form className="card alone group-form" noValidate onSubmit={submit}>
      <Field
        label={t.groupName}
        error={nameError}
        name="name"
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <MemberChecklist chosen={chosen} disabled={isPending} onToggle={onToggle} />
      {error && !nameError && <Notice kind="error">{explain(error)}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  )
}

interface MemberChecklistProps {
  chosen: ChosenPeople
  disabled: boolean
  onToggle: (person: Person) => void
}

function MemberChecklist({ chosen, disabled, onToggle }: MemberChecklistProps) {
  const t = useText(adminGroupsText)
  const me = useMe()
  const [text, setText] = useState('')
  // Typing stays fast while the long list of users changes.
  const searchText = useDeferredValue(text)
  const { query, rows, isSearching } = useUserSearch(allUsersSource, searchText)
  const others = rows.filter(({ id }) => id !== me?.id)
  const q = searchText.trim()
  return (
    <fieldset className="field" disabled={disabled}>
      <legend className="label">
        {t.members}{' '}
        <span className="text-meta" role="status">
          {t.chosen(chosen.size)}
        </span>
      </legend>
      <span className="hint">{t.creatorIsMember}</span>
      <SearchBox label={t.searchBy} text={text} onText={setText} />
      {!query.data && query.isError && (
        <AdminLoadError error={query.error} pending={query.isFetching} onRetry={() => query.refetch()} />
      )}
      {!query.data && !query.isError && <RowSkeletons count={6} />}
      {query.data && (
        <ul className="checklist" aria-label={t.allUsers} aria-busy={isSearching || undefined}>
          {others.map((person) => (
            <UserCheckbox
              key={person.id}
              person={person}
              isChosen={chosen.has(person.id)}
              onToggle={onToggle}
            />
          ))}
          {!others.length && !isSearching && (
            <li className="no-results">{q ? t.nobodyFound(q) : t.nobodyElse}</li>
          )}
          {!q && query.hasNextPage && (
            <li className="list-more">
              <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                {t.loadMore}
              </Button>
            </li>
          )}
        </ul>
      )}
    </fieldset>
  )
}

interface UserCheckboxProps {
  person: ListedUser
  isChosen: boolean
  onToggle: (person: Person) => void
}
const UserCheckbox = memo(({ person, isChosen, onToggle }: UserCheckboxProps) => (
  <li>
    <label className="check">
      <input type="checkbox" checked={isChosen} onChange={() => onToggle(person)} />
      <Avatar person={person} size="s" />
      <UserText className="name">{person.name}</UserText>
    </label>
  </li>
))
