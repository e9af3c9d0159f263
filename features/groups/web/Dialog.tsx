import './group-dialog.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { UserMinus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { type ListedUser, type Me, peopleEndpoints, profilePath } from '#features/people/contract.ts'
import { Reading } from '#features/people/web/Reading.tsx'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { endingEndpoints, type Group, type GroupMember, groupEndpoints } from '../contract.ts'
import { DescriptionDialog } from './DescriptionDialog.tsx'
import { HandOverDialog } from './HandOverDialog.tsx'
import { PictureDialog } from './PictureDialog.tsx'
import { RenameForm } from './RenameForm.tsx'
import { SlowModeDialog } from './SlowModeDialog.tsx'
import { groupText } from './text.ts'
import { useGroupMembers } from './useMembers.ts'
import { WritersDialog } from './WritersDialog.tsx'

export type GroupDialogKind =
  | 'members'
  | 'add'
  | 'rename'
  | 'description'
  | 'picture'
  | 'handOver'
  | 'writers'
  | 'slowMode'
  | 'end'
  | 'leave'
  | 'delete'

type Props = { kind: GroupDialogKind; group: Group; me: Me; close: () => void }

/** Loaded when a dialog of the group's menu opens for the first time. */
export default function GroupDialog({ kind, group, me, close }: Props) {
  const t = useText(groupText)
  const [, navigate] = useLocation()
  const { run, dialog } = useConfirmation()
  const goToList = ({ message }: { message: string }) => {
    showToast(message)
    navigate('/my-groups')
  }
  return (
    <>
      {kind === 'members' && <Members group={group} me={me} onClose={close} />}
      {kind === 'add' && <AddPeople group={group} onClose={close} />}
      {kind === 'rename' && (
        <Dialog open title={t.renameTitle} onClose={close} className="confirm">
          <RenameForm
            group={group}
            t={t}
            submitLabel={t.save}
            onRenamed={(_, message) => showToast(message)}
            onClose={close}
          />
        </Dialog>
      )}
      {kind === 'description' && <DescriptionDialog group={group} onClose={close} />}
      {kind === 'picture' && <PictureDialog group={group} onClose={close} />}
      {kind === 'handOver' && <HandOverDialog group={group} onClose={close} />}
      {kind === 'writers' && <WritersDialog group={group} onClose={close} />}
      {kind === 'slowMode' && <SlowModeDialog group={group} onClose={close} />}
      {kind === 'end' && (
        <ConfirmDialog
          title={group.ended_at ? t.reopenTitle(group.name) : t.endTitle(group.name)}
          confirmLabel={group.ended_at ? t.reopen : t.end}
          onConfirm={() =>
            run(() => callEndpoint(endingEndpoints.set, { id: group.id, has_ended: !group.ended_at }))
          }
          onDone={({ message }) => showToast(message)}
          onClose={close}
        >
          {group.ended_at ? t.reopenHelp : t.endHelp}
          {dialog}
        </ConfirmDialog>
      )}
      {kind === 'leave' && (
        <ConfirmDialog
          title={t.leaveTitle(group.name)}
          confirmLabel={t.leave}
          isDestructive
          onConfirm={() => callEndpoint(groupEndpoints.leave, { id: group.id })}
          onDone={goToList}
          onClose={close}
        >
          {group.is_owner ? t.leaveHelpForOwner : t.leaveHelp}
        </ConfirmDialog>
      )}
      {kind === 'delete' && (
        <ConfirmDialog
          title={t.deleteGroupTitle(group.name)}
          confirmLabel={t.deleteGroup}
          isDestructive
          onConfirm={() => run(() => callEndpoint(groupEndpoints.remove, { id: group.id }))}
          onDone={goToList}
          onClose={close}
        >
          {t.deleteGroupHelp}
          {dialog}
        </ConfirmDialog>
      )}
    </>
  )
}

const describeOrigin = ({ id, added_by, has_joined }: GroupMember, t: (typeof groupText)['en']) =>
  has_joined ? t.joined : added_by!.id === id ? t.addedBySelf : t.addedBy(added_by!.name)

/** Milliseconds after the last key press. */
const SEARCH_DELAY = 250
const MAX_RESULTS = 50

type MembersProps = { group: Group; me: Me; onClose: () => void }

function Members({ group, me, onClose }: MembersProps) {
  const t = useText(groupText)
  const explain = useErrorText()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, reload } = useGroupMembers(group.id)
  const { run, dialog } = useConfirmation()
  const [removing, setRemoving] = useState<GroupMember | null>(null)
  if (removing)
    return (
      <ConfirmDialog
        title={t.removeTitle(removing.name, group.name)}
        confirmLabel={t.confirmRemoveMember}
        isDestructive
        onConfirm={() =>
          run(() => callEndpoint(groupEndpoints.removeMember, { id: group.id, user: removing.id }))
        }
        onDone={reload}
        onClose={() => setRemoving(null)}
      >
        {t.removeHelp}
        {dialog}
      </ConfirmDialog>
    )
  return (
    <Dialog open title={t.membersOf(group.name)} onClose={onClose} className="group-dialog">
      {group.picture && <img className="group-picture" src={group.picture} alt="" width={96} height={96} />}
      {group.description && (
        <p className="group-description" dir="auto" lang={detectLanguage(group.description)}>
          {group.description}
        </p>
      )}
      {error && <Notice kind="error">{explain(error)}</Notice>}
      {!rows && !error && <RowSkeletons count={3} />}
      <ul className="rows">
        {rows?.map((member) => (
          <li className="row" key={member.id}>
            <Avatar person={member} />
            <span className="text">
              <Link className="name" href={profilePath(member)} dir="auto" lang={detectLanguage(member.name)}>
                {member.name}
              </Link>
              <Reading person={member} aria-hidden />
              {member.added_by && (
                <span className="line" dir="auto">
                  {describeOrigin(member, t)}
                </span>
              )}
            </span>
            {member.is_owner && <span className="chip">{t.owner}</span>}
            {(me.is_admin || group.is_owner) && member.id !== me.id && (
              <Button
                kind="ghost"
                iconOnly
                icon={UserMinus}
                label={t.removeMember(member.name)}
                onClick={() => setRemoving(member)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.more}
          </Button>
        )}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

function AddPeople({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(groupText)
  const explain = useErrorText()
  const [text, setText] = useState('')
  const [searchText, setSearchText] = useState('')
  const { rows: members = [], reload } = useGroupMembers(group.id)
  const results = useQuery({
    queryKey: [peopleEndpoints.users.path, 'to add', searchText],
    queryFn: () => fetchPage(peopleEndpoints.users, { q: searchText, limit: MAX_RESULTS }),
  })
  useEffect(() => {
    const timer = setTimeout(setSearchText, SEARCH_DELAY, text.trim())
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Dialog open title={t.addPeopleTo(group.name)} onClose={onClose} className="group-dialog">
      <SearchBox label={t.searchBy} text={text} onText={setText} />
      {results.error && <Notice kind="error">{explain(results.error)}</Notice>}
      <ul className="rows">
        {results.data?.rows.map((person) => (
          <UserToAdd
            key={person.id}
            person={person}
            group={group.id}
            isMember={members.some(({ id }) => id === person.id)}
            onAdded={reload}
          />
        ))}
      </ul>
      {results.data?.rows.length === 0 && <p className="text-meta">{t.nobodyFound}</p>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

type UserToAddProps = { person: ListedUser; group: number; isMember: boolean; onAdded: () => void }

function UserToAdd({ person, group, isMember, onAdded }: UserToAddProps) {
  const t = useText(groupText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => run(() => callEndpoint(groupEndpoints.addUser, { id: group, user_id: person.id })),
    onSuccess: onAdded,
  })
  return (
    <li className="row">
      <Avatar person={person} />
      <span className="text">
        <UserText className="name">{person.name}</UserText>
        <Reading person={person} aria-hidden />
        {error && !(error instanceof CancelledError) && <span className="line">{explain(error)}</span>}
      </span>
      {isMember || isSuccess ? (
        <span className="chip" role="status">
          {t.alreadyMember}
        </span>
      ) : (
        <Button small pending={isPending} label={t.addWhom(person.name)} onClick={() => mutate()}>
          {t.add}
        </Button>
      )}
      {dialog}
    </li>
  )
}
