import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type ContactState, guardianEndpoints } from '../contract.ts'
import { guardianText } from './text.ts'

export const useChildren = () =>
  useQuery({
    queryKey: [guardianEndpoints.children.path],
    queryFn: () => callEndpoint(guardianEndpoints.children, {}),
  })

export function useRequests() {
  useWaitingReload('contact_request', [guardianEndpoints.requests.path], [guardianEndpoints.contacts.path])
  return useQuery({
    queryKey: [guardianEndpoints.requests.path],
    queryFn: () => callEndpoint(guardianEndpoints.requests, {}),
  })
}

interface DecidedContact {
  child: number
  person: { id: number; name: string }
  known_state: ContactState
}

/** Loads the lists again afterwards. Opens `dialog` if the server asks who the guardian is, then goes on. */
export function useDecision({ child, person, known_state }: DecidedContact) {
  const t = useText(guardianText)
  const client = useQueryClient()
  const formatError = useErrorText()
  const reload = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [guardianEndpoints.requests.path] }),
      client.invalidateQueries({ queryKey: [guardianEndpoints.contacts.path] }),
    ])
  const { run, dialog } = useConfirmation()
  const mutation = useMutation({
    mutationFn: (state: 'allowed' | 'refused') =>
      run(() => callEndpoint(guardianEndpoints.decide, { id: child, person: person.id, state, known_state })),
    onSuccess: ({ in_group }, state) => {
      const text = t[state](person.name)
      showToast(in_group && state === 'refused' ? `${text} ${t.inGroupRefused}` : text, {
        key: `contact ${child} ${person.id}`,
      })
      // The button is gone: otherwise the next Tab and Enter would decide about somebody else.
      focusFirst('.guardian-section h2')
      return reload()
    },
    onError: (error) => {
      if (error instanceof CancelledError) return undefined
      showToast(formatError(error), { kind: 'error' })
      return hasStatus(error, 404) || hasStatus(error, 409) ? reload() : undefined
    },
  })
  return { ...mutation, dialog }
}
