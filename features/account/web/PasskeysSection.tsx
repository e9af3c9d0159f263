import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { type ListedPasskey, passkeyEndpoints } from '../passkey-contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from './AccountSectionLoadError.tsx'
import { createAndRegisterPasskey, findPasskeyUnavailableReason } from './passkey-client.ts'
import { passkeyText, usePasskeyErrorFormatter } from './passkey-text.ts'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx'
import { createAccountSectionQueryOptions } from './section-query.ts'
import { useIdentityConfirmation } from './useIdentityConfirmation.tsx'

const key = [passkeyEndpoints.list.path]

/**
 * Renders the section of the account page that lists the member's passkeys, and with which the member adds,
 * renames and removes them.
 */
export function PasskeysSection() {
  const t = useText(passkeyText)
  const [renamed, setRenamed] = useState<ListedPasskey | null>(null)
  const [removed, setRemoved] = useState<ListedPasskey | null>(null)
  const { add, remove, dialog } = usePasskeyChanges()
  const { data, error, isFetching, refetch } = useQuery(
    createAccountSectionQueryOptions(passkeyEndpoints.list),
  )
  return (
    <AccountPageSectionCard title={t.title} help={t.help}>
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
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {data && <AddButton origin={data.origin} pending={add.isPending} onClick={() => add.mutate()} />}
      {renamed && <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title={t.removeTitle}
          confirmLabel={t.remove}
          isDestructive
          // Does not wait until the passkey is removed, so that this dialog closes before the dialog that
          // asks for the password opens.
          onConfirm={async () => remove.mutate(removed)}
          onClose={() => setRemoved(null)}
        >
          {t.removeHelp(removed.name)}
        </ConfirmDialog>
      )}
      {dialog}
    </AccountPageSectionCard>
  )
}

/**
 * Returns the mutations that add and remove a passkey, and the dialog in which the member confirms their
 * identity.
 */
function usePasskeyChanges() {
  const t = useText(passkeyText)
  const formatError = usePasskeyErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const onDone = (sentence: string) => {
    void client.invalidateQueries({ queryKey: key })
    void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
    showToast(sentence, { key: 'passkeys' })
  }
  const onError = (error: Error) => {
    if (error instanceof ActionCancelledError) return
    if (isErrorWithStatus(error, 401)) showLogInPromptToast()
    else showToast(formatError(error, 'add'), { key: 'passkeys', kind: 'error' })
  }
  const add = useMutation({
    mutationFn: () => run(createAndRegisterPasskey),
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

/** Renders the button that adds a passkey or, if passkeys do not work on this page, the reason. */
function AddButton({ origin, pending, onClick }: AddButtonProps) {
  const t = useText(passkeyText)
  const obstacle = findPasskeyUnavailableReason(origin)
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
          {t.addedOn} <RelativeTime at={created_at} /> ·{' '}
          {last_used_at ? (
            <>
              {t.lastUsed} <RelativeTime at={last_used_at} />
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
