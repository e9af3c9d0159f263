import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type ChildContactState, guardianEndpoints } from '../contract.ts'
import { guardianText } from './guardian-text.ts'

export const useGuardedChildrenQuery = () =>
  useQuery({
    queryKey: [guardianEndpoints.children.path],
    queryFn: () => callEndpoint(guardianEndpoints.children, {}),
  })

export const useChildContactRequestsQuery = () =>
  useQuery({
    queryKey: [guardianEndpoints.requests.path],
    queryFn: () => callEndpoint(guardianEndpoints.requests, {}),
  })

interface DecidedContact {
  child: number
  person: { id: number; name: string }
  known_state: ChildContactState
}

/**
 * Returns a mutation that allows or refuses a contact of a child, and then loads the lists of requests and
 * contacts again. If the server asks who the guardian is, the mutation opens `dialog`, and goes on after it.
 */
export function useChildContactDecisionMutation({ child, person, known_state }: DecidedContact) {
  const t = useText(guardianText)
  const client = useQueryClient()
  const formatError = useErrorFormatter()
  const reload = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: [guardianEndpoints.requests.path] }),
      client.invalidateQueries({ queryKey: [guardianEndpoints.contacts.path] }),
    ])
  const { run, dialog } = useIdentityConfirmation()
  const mutation = useMutation({
    mutationFn: (state: 'allowed' | 'refused') =>
      run(() => callEndpoint(guardianEndpoints.decide, { id: child, person: person.id, state, known_state })),
    onSuccess: ({ in_group }, state) => {
      const text = t[state](person.name)
      showToast(in_group && state === 'refused' ? `${text} ${t.inGroupRefused}` : text, {
        key: `contact ${child} ${person.id}`,
      })
      // The button is gone: otherwise the next Tab and Enter would decide about somebody else.
      focusFirstMatchOnceRendered('.guardian-section h2')
      return reload()
    },
    onError: (error) => {
      if (error instanceof ActionCancelledError) return undefined
      showToast(formatError(error), { kind: 'error' })
      return isErrorWithStatus(error, 404) || isErrorWithStatus(error, 409) ? reload() : undefined
    },
  })
  return { ...mutation, dialog }
}
