import { useMutation, useQuery } from '@tanstack/react-query'
import { UserMinus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { type ListedUser, type Me, peopleEndpoints, toProfilePath } from '#features/people/contract.ts'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Group, type GroupMember, groupEndpoints } from '../group-contract.ts'
import { GroupDescriptionDialog } from './GroupDescriptionDialog.tsx'
import { GroupPictureDialog } from './GroupPictureDialog.tsx'
import { groupDialogText } from './group-text.ts'
import { HandGroupOverDialog } from './HandGroupOverDialog.tsx'
import { RenameGroupForm } from './RenameGroupForm.tsx'
import { SlowModeDialog } from './SlowModeDialog.tsx'
import { useGroupMembers } from './useGroupMembers.ts'

export type GroupDialogKind =
  | 'members'
  | 'add'
  | 'rename'
  | 'description'
  | 'picture'
  | 'handOver'
  | 'slowMode'
  | 'leave'
  | 'delete'

type GroupDialogProps = { kind: GroupDialogKind; group: Group; me: Me; close: () => void }

/**
 * Renders the dialog that an item of the group’s menu opens. The browser loads this code when such a dialog
 * opens for the first time.
 */
export default function GroupDialog({ kind, group, me, close }: GroupDialogProps) {
  const t = useText(groupDialogText)
  const [, navigate] = useLocation()
  const { run, dialog } = useIdentityConfirmation()
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
          <RenameGroupForm
            group={group}
            t={t}
            submitLabel={t.save}
            onRenamed={(_, message) => showToast(message)}
            onClose={close}
          />
        </Dialog>
      )}
      {kind === 'description' && <GroupDescriptionDialog group={group} onClose={close} />}
      {kind === 'picture' && <GroupPictureDialog group={group} onClose={close} />}
      {kind === 'handOver' && <HandGroupOverDialog group={group} onClose={close} />}
      {kind === 'slowMode' && <SlowModeDialog group={group} onClose={close} />}
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

/** The search for people begins this many milliseconds after the last key press. */
const SEARCH_DELAY = 250
const MAX_RESULTS = 50

type MembersProps = { group: Group; me: Me; onClose: () => void }

/**
 * Renders the dialog with the picture and the description of the group and the list of its members, each with
 * the name of the person who added them. Admins and the owner of the group can remove members in it.
 */
function Members({ group, me, onClose }: MembersProps) {
  const t = useText(groupDialogText)
  const explain = useErrorFormatter()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, reload } = useGroupMembers(group.id)
  const { run, dialog } = useIdentityConfirmation()
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
        <p className="group-description" dir="auto" lang={detectLanguageOfUserText(group.description)}>
          {group.description}
        </p>
      )}
      {error && <Notice kind="error">{explain(error)}</Notice>}
      {!rows && !error && <RowListSkeleton count={3} />}
      <ul className="rows">
        {rows?.map((member) => (
          <li className="row" key={member.id}>
            <Avatar person={member} />
            <span className="text">
              <Link
                className="name"
                href={toProfilePath(member)}
                dir="auto"
                lang={detectLanguageOfUserText(member.name)}
              >
                {member.name}
              </Link>
              {member.added_by && (
                <span className="line" dir="auto">
                  {member.added_by.id === member.id ? t.addedBySelf : t.addedBy(member.added_by.name)}
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

/**
 * Renders the dialog in which admins and the owner of a group search for people by name and add them to the
 * group.
 */
function AddPeople({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(groupDialogText)
  const explain = useErrorFormatter()
  const [text, setText] = useState('')
  const [searchText, setSearchText] = useState('')
  const { rows: members = [], reload } = useGroupMembers(group.id)
  const results = useQuery({
    queryKey: [peopleEndpoints.users.path, 'to add', searchText],
    queryFn: () => fetchListPage(peopleEndpoints.users, { q: searchText, limit: MAX_RESULTS }),
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
  const t = useText(groupDialogText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => run(() => callEndpoint(groupEndpoints.addUser, { id: group, user_id: person.id })),
    onSuccess: onAdded,
  })
  return (
    <li className="row">
      <Avatar person={person} />
      <span className="text">
        <UserText className="name">{person.name}</UserText>
        {error && !(error instanceof ActionCancelledError) && <span className="line">{explain(error)}</span>}
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
