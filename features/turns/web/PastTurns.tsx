import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { Dot, useText } from '#web/i18n.ts'
import { findAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Turn, turnEndpoints } from '../contract.ts'
import { useReload } from './PreviewDialog.tsx'
import { turnText } from './text.ts'

/** Those of before, each with a way back for a day. Nothing before the first. */
export function PastTurns() {
  const t = useText(turnText)
  const first = findAnswer(turnEndpoints.list)
  const { data } = useQuery({
    queryKey: [turnEndpoints.list.path],
    queryFn: () => callEndpoint(turnEndpoints.list, {}),
    ...(first && { initialData: first.body as Turn[] }),
  })
  const [undoing, setUndoing] = useState<Turn | null>(null)
  const { run, dialog } = useConfirmation()
  const reload = useReload()
  if (!data?.length) return null
  return (
    <section>
      <h2 className="turns-heading">{t.turns}</h2>
      <ul className="cards">
        {data.map((turn) => (
          <li className="row" key={turn.id}>
            <span className="text">
              <span>
                <ShortDate at={turn.created_at} />
                <Dot />
                {t.groups(turn.groups_count)}
              </span>
              {turn.user && <span className="text-meta">{turn.user.name}</span>}
            </span>
            {turn.undone_at ? (
              <span className="chip">{t.undone}</span>
            ) : (
              turn.can_undo && (
                <Button small onClick={() => setUndoing(turn)}>
                  {t.undo}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {undoing && (
        <ConfirmDialog
          title={t.undoTitle}
          confirmLabel={t.undo}
          onConfirm={() => run(() => callEndpoint(turnEndpoints.undo, { id: undoing.id }))}
          onDone={({ kept }) => {
            showToast(kept.length ? t.kept(kept.map(({ name }) => name).join(', ')) : t.undoneNow)
            reload()
          }}
          onClose={() => setUndoing(null)}
        >
          {t.undoHelp}
          {dialog}
        </ConfirmDialog>
      )}
    </section>
  )
}
