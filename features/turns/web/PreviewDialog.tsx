import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { conversationEndpoints } from '#features/conversations/contract.ts'
import { groupEndpoints } from '#features/groups/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Line, type Planned, turnEndpoints } from '../contract.ts'
import { turnText } from './text.ts'

interface Props {
  lines: Line[]
  onMade: () => void
  onClose: () => void
}

/** The lists that a turn, or its end, changes. */
export function useReload() {
  const client = useQueryClient()
  return () => {
    forgetAnswers()
    for (const { path } of [
      turnEndpoints.groups,
      turnEndpoints.list,
      groupEndpoints.all,
      conversationEndpoints.groups,
    ])
      void client.invalidateQueries({ queryKey: [path] })
  }
}

export function PreviewDialog({ lines, onMade, onClose }: Props) {
  const t = useText(turnText)
  const explain = useErrorText()
  const reload = useReload()
  const { run, dialog } = useConfirmation()
  const preview = useQuery({
    queryKey: [turnEndpoints.preview.path, JSON.stringify(lines)],
    queryFn: () => callEndpoint(turnEndpoints.preview, { lines }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(turnEndpoints.make, { lines })),
    onSuccess: () => {
      showToast(t.made)
      onMade()
      onClose()
      reload()
    },
  })
  const shown = preview.error ?? (error instanceof CancelledError ? null : error)
  return (
    <Dialog open title={t.previewTitle} onClose={onClose} className="confirm">
      {shown && <Notice kind="error">{explain(shown)}</Notice>}
      {preview.isPending && <RowSkeletons count={2} />}
      <ul className="turn-preview">
        {preview.data?.map((planned) => (
          <PlannedRow key={planned.group.id} planned={planned} />
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.back}</Button>
        <Button kind="primary" disabled={!preview.data} pending={isPending} onClick={() => mutate()}>
          {t.make}
        </Button>
      </div>
      {dialog}
    </Dialog>
  )
}

function PlannedRow({ planned: { group, name, staying, leaving, joining, owner } }: { planned: Planned }) {
  const t = useText(turnText)
  if (name === null) return <li className="name">{t.endsWith(group.name)}</li>
  return (
    <li>
      <span className="name">{t.becomes(group.name, name)}</span>
      <span>{t.counts(staying, leaving, joining)}</span>
      <span className="text-meta">{owner ? t.ownedBy(owner.name) : t.noOwner}</span>
    </li>
  )
}
