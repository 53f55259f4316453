import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { roles } from '../../src/domain/api-key.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { operationDocs } from '../../src/http/openapi/operations.ts';
import { mayDo, permittedOperations } from '../../src/http/permissions.ts';
import { problemKinds } from '../../src/http/problem.ts';
import { describedBy } from '../support/described.ts';
import { startStub, stubTable } from './stub-service.ts';

const table = stubTable();
const document = openApiDocument(table);
const json: unknown = JSON.parse(JSON.stringify(document));
const described = describedBy(json);

const schemaWithExamples = z.object({ examples: z.array(z.unknown()) });

describe('the OpenAPI document', () => {
  it('has every route, and every operation that it has is routed', () => {
    const routed = table.map(({ method, path }) => `${method} ${path}`);
    const shown = described.operations.map(({ method, path }) => `${method} ${path}`);
    expect(shown.toSorted()).toEqual(routed.toSorted());
    expect(Object.keys(operationDocs).toSorted()).toEqual(routed.toSorted());
  });

  it('refuses to be made while a route is not described', () => {
    const { 'GET /v1/skus': left, ...rest } = operationDocs;
    expect(left).toBeDefined();
    expect(() => openApiDocument(table, rest)).toThrow('GET /v1/skus is not described');
  });

  it('has every code of a problem, each with its status, and no other', () => {
    const codes = new Set<string>();
    const problem = z.object({
      properties: z.object({
        code: z.object({ const: z.string() }),
        status: z.object({ const: z.number() }),
      }),
    });
    for (const [name, schema] of Object.entries(described.document.components.schemas)) {
      if (!name.endsWith('Problem')) continue;
      const { code, status } = problem.parse(schema).properties;
      codes.add(code.const);
      expect(Object.entries(problemKinds)).toContainEqual([
        code.const,
        expect.objectContaining({ status: status.const }),
      ]);
    }
    expect([...codes].toSorted()).toEqual(Object.keys(problemKinds).toSorted());
  });

  it('shows examples that are valid', () => {
    const faulty: string[] = [];
    let examples = 0;
    const judge = (where: string, pointer: readonly string[], value: unknown) => {
      examples += 1;
      for (const fault of described.faults(pointer, value)) faulty.push(`${where}: ${fault}`);
    };
    for (const { path, method, requestBody, operationId } of described.operations) {
      const example = requestBody?.content['application/json'].example;
      if (requestBody === undefined) continue;
      const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content'];
      judge(operationId, [...place, 'application/json', 'schema'], example);
    }
    for (const [name, schema] of Object.entries(described.document.components.schemas)) {
      const found = schemaWithExamples.safeParse(schema);
      for (const example of found.data?.examples ?? []) {
        judge(name, ['components', 'schemas', name], example);
      }
    }
    expect(faulty).toEqual([]);
    expect(examples).toBeGreaterThan(20);
  });

  it('asks for a key everywhere but where supervisors and readers come without one', () => {
    const open = described.operations.filter(({ security }) => security?.length === 0);
    expect(open.map(({ path }) => path)).toEqual([
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
    ]);
  });

  it('names the roles that the table of permissions lets in', () => {
    const said = described.operations
      .filter(({ security }) => security === undefined)
      .map((one) => [`${one.method} ${one.path}`, one['x-roles']]);
    const held = permittedOperations.map((operation) => [
      operation,
      roles.filter((role) => mayDo(role, operation)),
    ]);
    const sorted = (list: typeof said) =>
      list.map(([name, who]) => `${String(name)}: ${[who].flat().toSorted().join()}`).toSorted();
    expect(sorted(said)).toEqual(sorted(held));
  });

  it('is as Redocly recommends', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The service is not for redistribution, and what is open refuses nothing.
        'info-license': 'off',
        'operation-4xx-response': 'off',
      },
    });
    const source = JSON.stringify(document);
    const faults = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    // 405 is the answer to what is no operation, so no operation refers to it.
    expect(faults.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([
      'no-unused-components: Component: "MethodNotAllowed" is never used.',
    ]);
  });
});

describe('what is no operation', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const shape = ['components', 'responses', 'MethodNotAllowed', 'content'];

  it('is answered on every path by 405, as described, and tells what is allowed', async () => {
    const { http, client } = await startStub();
    const faulty: string[] = [];
    for (const [path, item] of Object.entries(described.document.paths)) {
      const served = Object.keys(item).map((method) => method.toUpperCase());
      for (const method of methods.filter((one) => !served.includes(one))) {
        const answer = await client.send(method, path.replaceAll(/[{}]/g, ''));
        const pointer = [...shape, 'application/problem+json', 'schema'];
        const faults = described.faults(pointer, answer.body);
        const allow = answer.headers.get('allow')?.split(', ') ?? [];
        const tells = served.every((one) => allow.includes(one)) && !allow.includes(method);
        if (answer.status !== 405 || faults.length > 0 || !tells) faulty.push(`${method} ${path}`);
      }
    }
    await http.stop();
    expect(faulty).toEqual([]);
  });
});
