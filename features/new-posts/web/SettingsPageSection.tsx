import './new-posts.css'
import { useEffect } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Choices, type Mode, newPostEndpoints } from '../contract.ts'
import { useChange, useChoices } from './choices.ts'
import { choiceText } from './text.ts'

const modes = ['everybody', 'nobody', 'chosen'] as const

export default function SettingsPageSection() {
  const t = useText(choiceText)
  const { data, error, isFetching, refetch } = useChoices()
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === '#new-posts')
      document.getElementById('new-posts')?.scrollIntoView({ block: 'center' })
  }, [isLoaded])
  return (
    <section className="card new-posts" id="new-posts">
      <h2>{t.title}</h2>
      <p className="text-soft">{t.help}</p>
      {data ? (
        <Modes choices={data} />
      ) : error ? (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      ) : (
        <LoadingText />
      )}
    </section>
  )
}

function Modes({ choices }: { choices: Choices }) {
  const t = useText(choiceText)
  const { mutate, isPending, variables } = useChange(
    (mode: Mode) => callEndpoint(newPostEndpoints.save, { mode }),
    () => t.saved,
  )
  const shown = isPending ? variables : choices.mode
  return (
    <>
      <RadioGroup
        label={t.mode}
        choices={modes.map((value) => ({
          value,
          label: t[value],
          ...(value === 'chosen' && { help: t.chosenHelp }),
        }))}
        inputProps={(value) => ({ checked: value === shown, onChange: () => mutate(value) })}
      />
      {choices.is_default && choices.mode === 'everybody' && !isPending && (
        <p className="text-soft">{t.isDefault}</p>
      )}
      {shown === 'chosen' && <Chosen choices={choices} />}
    </>
  )
}

interface Entry {
  kind: 'person' | 'group'
  id: number
  name: string
}

function Chosen({ choices: { people, groups } }: { choices: Choices }) {
  const t = useText(choiceText)
  const { mutate, isPending, variables } = useChange(
    ({ kind, id }: Entry) =>
      callEndpoint(kind === 'person' ? newPostEndpoints.dropPerson : newPostEndpoints.dropGroup, { id }),
    () => t.saved,
  )
  // The button that had the focus disappears.
  const remove = (entry: Entry) =>
    mutate(entry, {
      onSuccess: (left) =>
        focusFirst(
          `.new-posts ${left.people.length + left.groups.length ? '.account-rows .button' : ':checked'}`,
        ),
    })
  const buttonOf = (entry: Entry) => (
    <Button
      small
      pending={isPending && variables.kind === entry.kind && variables.id === entry.id}
      label={t.removeOne(entry.name)}
      onClick={() => remove(entry)}
    >
      {t.remove}
    </Button>
  )
  if (!people.length && !groups.length)
    return (
      <>
        <p>{t.none}</p>
        <ButtonLink href="/follow">{t.findPeople}</ButtonLink>
      </>
    )
  return (
    <ul className="account-rows" aria-label={t.list}>
      {people.map((person) => (
        <li className="account-row" key={person.id}>
          <Avatar person={person} size="s" />
          <Link className="text" href={profilePath(person)}>
            <UserText className="name">{person.name}</UserText>
          </Link>
          {buttonOf({ kind: 'person', ...person })}
        </li>
      ))}
      {groups.map(({ id, name }) => (
        <li className="account-row" key={`group ${id}`}>
          <Avatar person={{ id, name, profile_image: null }} size="s" group />
          <Link className="text" href={`/group-chat/${id}`}>
            <UserText className="name">{name}</UserText>
            <span className="text-meta">{t.group}</span>
          </Link>
          {buttonOf({ kind: 'group', id, name })}
        </li>
      ))}
    </ul>
  )
}
