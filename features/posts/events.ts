import type { PostAudience } from './contract.ts'

declare module '#core/feature/events.ts' {
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'post.created': { id: number; user_id: number; body: string | null; audience: PostAudience; group_id: number | null }
    /** The author wants to delete it. Comes before; a listener may refuse by an error. */
    'post.deleting': { id: number; user_id: number }
    /**
     * `by_moderator`: the feature `moderation` deleted the post and records the deletion with its reason.
     * `with_account`: the account of the author is deleted too; foreign keys then delete the rows about it.
     */
    // biome-ignore format: the generated table of events reads one line
    'post.deleted': { id: number; user_id: number; actor_id: number; by_moderator?: true; with_account?: true }
    /** A moderator has hidden the post from all people but its author. */
    'post.hidden': { id: number }
    /** `is_public` is true if the audience of the post is `everyone`. */
    'post.restored': { id: number; is_public: boolean }
    'post.edited': { id: number; user_id: number }
    /** `group_id` is null for a pin for the community. `by_owner`: as owner of the group, not as admin. */
    // biome-ignore format: the generated table of events reads one line
    'post.pinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    // biome-ignore format: the generated table of events reads one line
    'post.unpinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    /** `actor_id` tells everybody who may see the post, at most once for a post. */
    // biome-ignore format: the generated table of events reads one line
    'post.announced': { id: number; user_id: number; actor_id: number; created_at: string; role: 'admin' | 'owner' | 'announcer' }
    /** `user_id` likes the post of `author_id`. */
    'post.liked': { id: number; user_id: number; author_id: number }
    /** `with_account`: the account of the member `user_id` is deleted. */
    'post.unliked': { id: number; user_id: number; with_account?: true }
  }
}
