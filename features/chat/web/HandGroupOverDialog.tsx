import { useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Group, GroupMember } from '../group-contract.ts'
import { groupOwnerEndpoints } from '../group-manager-contract.ts'
import { handGroupOverDialogText } from './hand-over-text.ts'
import { useGroupMembers } from './useGroupMembers.ts'

/** Renders the dialog in which a manager of a group makes another member its owner. */
export function HandGroupOverDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(handGroupOverDialogText)
  const explain = useErrorFormatter()
  const { run, dialog } = useIdentityConfirmation()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, reload } = useGroupMembers(group.id)
  const [chosen, setChosen] = useState<GroupMember | null>(null)
  const candidates = rows?.filter((member) => !member.is_owner)
  if (chosen)
    return (
      <ConfirmDialog
        title={t.confirmTitle(group.name, chosen.name)}
        confirmLabel={t.handOver}
        onConfirm={() =>
          run(() => callEndpoint(groupOwnerEndpoints.set, { id: group.id, user_id: chosen.id }))
        }
        onDone={({ message }) => {
          showToast(message)
          void reload()
          onClose()
        }}
        onClose={() => setChosen(null)}
      >
        {group.is_owner ? t.confirmHelpForOwner(chosen.name) : t.confirmHelp(chosen.name)}
        {dialog}
      </ConfirmDialog>
    )
  return (
    <Dialog open title={t.title(group.name)} onClose={onClose} className="group-dialog">
      <p>{t.help}</p>
      {error && <Notice kind="error">{explain(error)}</Notice>}
      {!rows && !error && <RowListSkeleton count={3} />}
      <ul className="rows">
        {candidates?.map((member) => (
          <li className="row" key={member.id}>
            <Avatar person={member} />
            <UserText className="text name">{member.name}</UserText>
            <Button small label={t.choose(member.name)} onClick={() => setChosen(member)}>
              {t.handOver}
            </Button>
          </li>
        ))}
      </ul>
      {candidates?.length === 0 && !hasNextPage && <p className="text-meta">{t.nobodyElse}</p>}
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
