import './admin-groups.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { Person } from '#features/people/contract.ts'
import { ForAdmins, ToDashboard } from '#features/people/web/ForAdmins.tsx'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { groups } from '../contract.ts'
import { adminGroupsText, fixed } from './admin-groups-text.ts'
import { GroupCreated } from './GroupCreated.tsx'
import { MemberChecklist } from './MemberChecklist.tsx'
import { useAddMembers } from './useAddMembers.tsx'

const MOST_AVATARS = 4

type Chosen = ReadonlyMap<number, Person>
const nobody: Chosen = new Map()

export default function CreateGroupPage() {
  const t = useText(adminGroupsText)
  const [name, setName] = useState('')
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
    setName('')
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
          <GroupCreated {...adding} onRetry={retry} onAnother={startAnew} />
        ) : (
          <GroupForm
            name={name}
            onName={setName}
            chosen={chosen}
            onToggle={toggle}
            onCreated={(group) => add(group, people)}
          />
        )}
      </ForAdmins>
    </PageLayout>
  )
}

/** Shows in the page's header whom the group will have; an empty place while nobody is chosen. */
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
  name: string
  onName: (name: string) => void
  chosen: Chosen
  onToggle: (person: Person) => void
  onCreated: (group: { id: number; name: string }) => void
}
function GroupForm({ name, onName, chosen, onToggle, onCreated }: GroupFormProps) {
  const t = useText(adminGroupsText)
  const explain = useExplain()
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
        onChange={(event) => onName(event.target.value)}
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
