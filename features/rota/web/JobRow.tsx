import { Car, ClipboardList, Ellipsis, PenLine, Trash2, UserMinus } from 'lucide-react'
import { useId, useState } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { callEndpoint } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Job, type Rota, rotaEndpoints } from '../contract.ts'
import { JobForm } from './JobForm.tsx'
import { rotaText } from './text.ts'
import { useChange, useSetRota } from './useRota.ts'

interface Props {
  date: number
  me: number
  job: Job
  rota: Rota
}

export function JobRow({ date, me, job, rota }: Props) {
  const t = useText(rotaText)
  const { kind, title, places, taken, user, people } = job
  const titleId = useId()
  const isFull = taken >= places
  return (
    <li>
      <Icon icon={kind === 'car' ? Car : ClipboardList} />
      <div>
        <h3 id={titleId}>
          <UserText>{title}</UserText>
        </h3>
        <p className="text-meta">
          {user && (
            <>
              {t.driver(user.name)}
              <Dot />
            </>
          )}
          {t.taken(taken, places)}
          {isFull && (
            <>
              <Dot />
              {t.full}
            </>
          )}
        </p>
      </div>
      {job.can_change && !rota.is_over ? <JobMenu date={date} job={job} /> : <span />}
      {taken > 0 && (
        <div className="rota-people">
          {people.map(({ user: person }) => (
            <Link key={person.id} href={profilePath(person)}>
              <Avatar person={person} size="xs" />
              <span>
                {person.name} <SharedHandle person={person} />
              </span>
            </Link>
          ))}
          {people.length < taken && <span className="text-meta">{t.hidden(taken - people.length)}</span>}
        </div>
      )}
      {!rota.is_over && <Actions date={date} me={me} job={job} rota={rota} titleId={titleId} />}
    </li>
  )
}

/** For the viewer and for each child. Nobody rides along in the own car. */
function Actions({ date, me, job, rota, titleId }: Props & { titleId: string }) {
  const t = useText(rotaText)
  const { id, kind, places, taken, people } = job
  const isIn = (person: number) => people.some(({ user }) => user.id === person)
  const join = (child?: number) => () => callEndpoint(rotaEndpoints.join, { id, ...forChild(child) })
  const leave = (child?: number) => () => callEndpoint(rotaEndpoints.leave, { id, ...forChild(child) })
  const isFull = taken >= places
  const isDriver = kind === 'car' && job.user?.id === me
  const common = { date, titleId }
  return (
    <div className="actions">
      {isIn(me) ? (
        <Choice {...common} send={leave()} label={t.leave[kind]} />
      ) : (
        !isFull && !isDriver && <Choice {...common} isPrimary send={join()} label={t.join[kind]} />
      )}
      {rota.children.map((child) =>
        isIn(child.id) ? (
          <Choice key={child.id} {...common} send={leave(child.id)} label={t.leaveFor(child.name)} />
        ) : (
          !isFull && <Choice key={child.id} {...common} send={join(child.id)} label={t.joinFor(child.name)} />
        ),
      )}
    </div>
  )
}

interface ChoiceProps {
  date: number
  /** Of the element that says for which task or car. */
  titleId: string
  isPrimary?: boolean
  send: () => Promise<Rota>
  label: string
}

/** Keeps the focus when its press turns it into the opposite. */
function Choice({ date, titleId, isPrimary, send, label }: ChoiceProps) {
  const { mutate, isPending } = useChange(date)
  return (
    <Button
      small
      kind={isPrimary ? 'primary' : undefined}
      pending={isPending}
      aria-describedby={titleId}
      onClick={() => mutate(send)}
    >
      {label}
    </Button>
  )
}

const forChild = (child: number | undefined) => (child === undefined ? {} : { for: child })

function JobMenu({ date, job }: { date: number; job: Job }) {
  const t = useText(rotaText)
  const set = useSetRota(date)
  const { mutate } = useChange(date)
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const { id, kind, title, people } = job
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        label={t.more(title)}
        renderButton={(button) => (
          <button
            {...button}
            className="button ghost icon-only"
            aria-label={t.more(title)}
            title={t.more(title)}
          >
            <Icon icon={Ellipsis} />
          </button>
        )}
      >
        <MenuItemButton icon={PenLine} onPress={() => setOpen('change')}>
          {t.change}
        </MenuItemButton>
        {people.map(({ user }) => (
          <MenuItemButton
            key={user.id}
            icon={UserMinus}
            onPress={() => mutate(() => callEndpoint(rotaEndpoints.leave, { id, for: user.id }))}
          >
            {t.takeOut(user.name)}
          </MenuItemButton>
        ))}
        <MenuItemButton icon={Trash2} danger onPress={() => setOpen('remove')}>
          {t.remove}
        </MenuItemButton>
      </Menu>
      {open === 'change' && <JobForm date={date} kind={kind} job={job} repeats={false} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t.removeTitle(title)}
          confirmLabel={t.remove}
          isDestructive
          onConfirm={() => callEndpoint(rotaEndpoints.remove, { id })}
          onDone={set}
          onClose={close}
        >
          {people.length ? t.removeHelp : ''}
        </ConfirmDialog>
      )}
    </>
  )
}
