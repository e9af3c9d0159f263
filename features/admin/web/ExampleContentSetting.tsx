import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { exampleContentEndpoints } from '../examples-contract.ts'
import { exampleContentText } from './examples-text.ts'

const queryKey = [exampleContentEndpoints.show.path]

/** Renders the card with the button that fills the community with examples, or removes them. */
export function ExampleContentSetting() {
  const t = useText(exampleContentText)
  const explain = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(exampleContentEndpoints.show, {}),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (isRemoval: boolean) =>
      run(() =>
        callEndpoint(isRemoval ? exampleContentEndpoints.remove : exampleContentEndpoints.create, {}),
      ),
    onSuccess(state) {
      // Fetches all data again, because lists of people, posts and chats were fetched before the examples
      // were created or removed.
      void client.invalidateQueries()
      client.setQueryData(queryKey, state)
      showToast(state.exist ? t.created : t.removed)
    },
    onError(failure) {
      if (failure instanceof ActionCancelledError) return
      void client.invalidateQueries({ queryKey })
      showToast(explain(failure), { kind: 'error' })
    },
  })
  return (
    <div className="card setting">
      {!data && error && <LoadErrorMessage plain error={error} pending={isFetching} onRetry={refetch} />}
      {!data && !error && <LoadingText />}
      {data && (
        <>
          <p className="text-soft">{data.exist ? t.exist : t.help}</p>
          <div className="form-actions">
            <Button pending={isPending} onClick={() => mutate(data.exist)}>
              {data.exist ? t.remove : t.fillIn}
            </Button>
          </div>
        </>
      )}
      {dialog}
    </div>
  )
}
