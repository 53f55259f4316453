/** Endpoints: one operation each. What they share, from path to digest, is read here once. */
import type { Request, Response } from 'express';
import { v7 as uuid } from 'uuid';
import type { z } from 'zod';
import type { ActionId, Actor, Digest } from '../domain/ids.ts';
import { serviceActionId } from '../domain/ids.ts';
import { requestDigest } from '../inventory/request-digest.ts';
import type { Principal } from './auth.ts';
import type { BodyReader, BodyShape } from './body.ts';
import { keyMissing, keyOf } from './idempotency-key.ts';
import type { IfMatch } from './if-match.ts';
import { parseIfMatch } from './if-match.ts';
import type { Parsed } from './parse.ts';
import { parsed, parseWith, unparsed } from './parse.ts';
import { readQuery } from './query.ts';
import type { Reply } from './reply.ts';
import { problem } from './reply.ts';
import { noQuery } from './schemas.ts';

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

interface Incoming {
  readonly request: Request;
  readonly response: Response;
  readonly principal: Principal;
  readonly requestId: string;
}

interface Operation {
  readonly method: Method;
  /** As the OpenAPI document writes it: `/v1/skus/{sku}`. */
  readonly path: string;
}

export interface OpenEndpoint extends Operation {
  readonly access: 'open';
  readonly serve: () => Promise<Reply>;
}

/** What a request is judged by. The OpenAPI document is made of the same schemas. */
export interface RequestShape {
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: BodyShape | null;
  /** The Idempotency-Key. */
  readonly key: 'required' | 'optional' | 'none';
}

export interface KeyedEndpoint extends Operation {
  readonly access: 'key';
  readonly takes: RequestShape;
  readonly serve: (incoming: Incoming) => Promise<Reply>;
}

export type Endpoint = OpenEndpoint | KeyedEndpoint;

export interface ReadingCall<P, Q> {
  readonly params: P;
  readonly query: Q;
  readonly principal: Principal;
}

/** An endpoint that shows something and changes nothing. */
export function reading<P, Q>(spec: {
  readonly path: string;
  readonly params: z.ZodType<P>;
  readonly query: z.ZodType<Q>;
  readonly answer: (call: ReadingCall<P, Q>) => Promise<Reply>;
}): KeyedEndpoint {
  return {
    method: 'GET',
    path: spec.path,
    access: 'key',
    takes: { params: spec.params, query: spec.query, body: null, key: 'none' },
    serve: async ({ request, principal }) => {
      const params = parseWith(spec.params, request.params, 'path');
      if (!params.ok) return problem(params.problem);
      const query = parseQuery(spec.query, request);
      if (!query.ok) return problem(query.problem);
      return spec.answer({ params: params.value, query: query.value, principal });
    },
  };
}

/** A request as the use cases know it again. */
export interface KeyedAction {
  readonly actionId: ActionId;
  readonly actor: Actor;
  readonly operation: string;
  readonly digest: Digest;
}

export interface ActingCall<P, B> {
  readonly params: P;
  readonly body: B;
  readonly principal: Principal;
}

/** An endpoint that changes something each time it is asked, whatever its Idempotency-Key says. */
export function acting<P, B>(spec: {
  readonly method: Exclude<Method, 'GET'>;
  readonly path: string;
  readonly params: z.ZodType<P>;
  readonly body: BodyReader<B>;
  readonly answer: (call: ActingCall<P, B>) => Promise<Reply>;
}): Endpoint {
  return {
    method: spec.method,
    path: spec.path,
    access: 'key',
    takes: { params: spec.params, query: noQuery, body: spec.body.sends, key: 'none' },
    serve: async ({ request, response, principal }) => {
      const params = parseWith(spec.params, request.params, 'path');
      if (!params.ok) return problem(params.problem);
      const query = parseQuery(noQuery, request);
      if (!query.ok) return problem(query.problem);
      const body = await spec.body.read(request, response);
      if (!body.ok) return problem(body.problem);
      return spec.answer({ params: params.value, body: body.value, principal });
    },
  };
}

export interface ChangingCall<P, B> extends ActingCall<P, B> {
  readonly ifMatch: IfMatch;
  readonly action: KeyedAction;
}

/** An endpoint that changes one thing, once for its Idempotency-Key. */
export function changing<P extends Readonly<Record<string, string>>, B>(spec: {
  readonly method: Exclude<Method, 'GET'>;
  readonly path: string;
  readonly params: z.ZodType<P>;
  readonly body: BodyReader<B>;
  readonly key: 'required' | 'optional';
  readonly answer: (call: ChangingCall<P, B>) => Promise<Reply>;
}): Endpoint {
  const operation = `${spec.method} ${spec.path}`;
  return {
    method: spec.method,
    path: spec.path,
    access: 'key',
    takes: { params: spec.params, query: noQuery, body: spec.body.sends, key: spec.key },
    serve: async ({ request, response, principal }) => {
      const { actor } = principal;
      const params = parseWith(spec.params, request.params, 'path');
      if (!params.ok) return problem(params.problem);
      const query = parseQuery(noQuery, request);
      if (!query.ok) return problem(query.problem);
      const actionId = actionIdOf(request, actor, spec);
      if (!actionId.ok) return problem(actionId.problem);
      const ifMatch = parseIfMatch(request.headers['if-match']);
      if (!ifMatch.ok) return problem(ifMatch.problem);
      const body = await spec.body.read(request, response);
      if (!body.ok) return problem(body.problem);
      const digest = requestDigest(operation, params.value, body.value);
      return spec.answer({
        params: params.value,
        body: body.value,
        principal,
        ifMatch: ifMatch.value,
        action: { actionId: actionId.value, actor, operation, digest },
      });
    },
  };
}

export function parseQuery<Q>(schema: z.ZodType<Q>, request: Request): Parsed<Q> {
  const query = readQuery(request.url);
  return query.ok ? parseWith(schema, query.value, 'query') : query;
}

/** Without a caller's key a change still has an id of its own, so that a lost answer is found. */
function actionIdOf(
  request: Request,
  actor: Actor,
  spec: { readonly method: Method; readonly key: 'required' | 'optional' },
): Parsed<ActionId> {
  const key = keyOf(request, actor);
  if (!key.ok) return key;
  if (key.value !== undefined) return parsed(key.value);
  if (spec.key === 'optional') return parsed(serviceActionId(spec.method.toLowerCase(), uuid()));
  return unparsed(keyMissing);
}
