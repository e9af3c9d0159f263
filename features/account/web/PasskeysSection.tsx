import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints, type ListedPasskey, passkeyEndpoints } from '../contract.ts'
import { addPasskey, findPasskeyProblem } from './passkey-client.ts'
import { passkeyText, usePasskeyErrors } from './passkey-text.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { SectionCard } from './SectionCard.tsx'
import { SectionError } from './SectionError.tsx'
import { sectionQuery } from './section-query.ts'
import { useConfirmation } from './useConfirmation.tsx'

const key = [passkeyEndpoints.list.path]

export function PasskeysSection() {
  const t = useText(passkeyText)
  const [renamed, setRenamed] = useState<ListedPasskey | null>(null)
  const [removed, setRemoved] = useState<ListedPasskey | null>(null)
  const { add, remove, dialog } = usePasskeyChanges()
  const { data, error, isFetching, refetch } = useQuery(sectionQuery(passkeyEndpoints.list))
  return (
    <SectionCard title={t.title} help={t.help}>
      {data && (
        <ul className="account-rows">
          {data.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isRemoving={remove.isPending && remove.variables.id === passkey.id}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      )}
      {data?.passkeys.length === 0 && <p className="account-value text-soft">{t.none}</p>}
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
      {data && <AddButton origin={data.origin} pending={add.isPending} onClick={() => add.mutate()} />}
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title={t.removeTitle}
          confirmLabel={t.remove}
          isDestructive
          // Does not wait, so that this dialog closes before the one that asks for the password opens.
          onConfirm={async () => remove.mutate(removed)}
          onClose={() => setRemoved(null)}
        >
          {t.removeHelp(removed.name)}
        </ConfirmDialog>
      )}
      {dialog}
    </SectionCard>
  )
}

function usePasskeyChanges() {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrors()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const onDone = (sentence: string) => {
    void client.invalidateQueries({ queryKey: key })
    void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
    showToast(sentence, { key: 'passkeys' })
  }
  const onError = (error: Error) => {
    if (error instanceof CancelledError) return
    if (hasStatus(error, 401)) showLogInToast()
    else showToast(formatError(error, 'add'), { key: 'passkeys', kind: 'error' })
  }
  const add = useMutation({
    mutationFn: () => run(addPasskey),
    onSuccess: () => onDone(t.added),
    onError,
  })
  const remove = useMutation({
    mutationFn: ({ id }: ListedPasskey) => run(() => callEndpoint(passkeyEndpoints.remove, { id })),
    onSuccess: () => onDone(t.removed),
    onError,
  })
  return { add, remove, dialog }
}

interface AddButtonProps {
  origin: string | null
  pending: boolean
  onClick: () => void
}

/** If passkeys do not work on this page, the reason. */
function AddButton({ origin, pending, onClick }: AddButtonProps) {
  const t = useText(passkeyText)
  const obstacle = findPasskeyProblem(origin)
  if (obstacle)
    return (
      <Notice kind="warning">
        {obstacle === 'address' ? t.obstacles.address(origin!) : t.obstacles[obstacle]}
      </Notice>
    )
  return (
    <div className="form-actions">
      <Button pending={pending} onClick={onClick}>
        {t.add}
      </Button>
    </div>
  )
}

interface RowProps {
  passkey: ListedPasskey
  isRemoving: boolean
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey, isRemoving, onRename, onRemove }: RowProps) {
  const t = useText(passkeyText)
  const { name, created_at, last_used_at } = passkey
  return (
    <li className="account-row">
      <span className="text">
        <b dir="auto">{name}</b>
        <span className="text-meta">
          {t.addedOn}
          <RelativeTime at={created_at} /> ·{' '}
          {last_used_at ? (
            <>
              {t.lastUsed}
              <RelativeTime at={last_used_at} />
            </>
          ) : (
            t.neverUsed
          )}
        </span>
      </span>
      <span className="account-row-actions">
        <Button small label={t.renameLabel(name)} onClick={onRename}>
          {t.rename}
        </Button>
        <Button small pending={isRemoving} label={t.removeLabel(name)} onClick={onRemove}>
          {t.remove}
        </Button>
      </span>
    </li>
  )
}
