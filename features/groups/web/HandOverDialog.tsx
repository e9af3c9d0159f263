import './group-dialog.css'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { Reading } from '#features/people/web/Reading.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Group, type GroupMember, ownerEndpoints } from '../contract.ts'
import { handOverText } from './text.ts'
import { useGroupMembers } from './useMembers.ts'

export function HandOverDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(handOverText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, reload } = useGroupMembers(group.id)
  const [chosen, setChosen] = useState<GroupMember | null>(null)
  const candidates = rows?.filter((member) => !member.is_owner)
  if (chosen)
    return (
      <ConfirmDialog
        title={t.confirmTitle(group.name, chosen.name)}
        confirmLabel={t.handOver}
        onConfirm={() => run(() => callEndpoint(ownerEndpoints.set, { id: group.id, user_id: chosen.id }))}
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
      {!rows && !error && <RowSkeletons count={3} />}
      <ul className="rows">
        {candidates?.map((member) => (
          <li className="row" key={member.id}>
            <Avatar person={member} />
            <span className="text">
              <UserText className="name">{member.name}</UserText>
              <Reading person={member} aria-hidden />
            </span>
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
